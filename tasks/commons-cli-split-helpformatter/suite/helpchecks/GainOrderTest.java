package helpchecks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.commons.cli.HelpFormatter;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.OptionOrder;
import org.junit.jupiter.api.Test;

class GainOrderTest {

    private static List<Option> options(String... keys) {
        return Arrays.stream(keys).map(key -> new Option(key, "")).collect(Collectors.toCollection(ArrayList::new));
    }

    private static String keys(List<Option> options) {
        return options.stream().map(Option::getKey).collect(Collectors.joining(" "));
    }

    @Test
    void ordersByKeysWhateverTheirCase() {
        OptionOrder order = new OptionOrder();
        assertEquals(1, Integer.signum(order.compare(new Option("B", ""), new Option("a", ""))));
        assertEquals(-1, Integer.signum(order.compare(new Option("b", ""), Option.builder().longOpt("Cleat").build())));
        assertEquals(0, order.compare(new Option("k", ""), new Option("K", "")));
    }

    @Test
    void sortsIntoANewList() {
        List<Option> given = options("gaff", "Boom", "spar", "hull", "Deck");
        assertEquals("Boom Deck gaff hull spar", keys(OptionOrder.sorted(given, new OptionOrder())));
        assertEquals("gaff Boom spar hull Deck", keys(given));
    }

    @Test
    void sortsByAnyComparator() {
        assertEquals("spar jib gaff Deck Boom", keys(OptionOrder.sorted(options("gaff", "Boom", "spar", "jib", "Deck"), Comparator.comparing(Option::getKey).reversed())));
    }

    @Test
    void keepsTheOrderWithoutAComparator() {
        List<Option> given = options("gaff", "Boom", "spar");
        List<Option> sorted = OptionOrder.sorted(given, null);
        sorted.add(new Option("x", ""));
        assertEquals("gaff Boom spar x", keys(sorted));
        assertEquals("gaff Boom spar", keys(given));
    }

    @Test
    void equalKeysKeepTheirOrder() {
        assertEquals("q r R S s", keys(OptionOrder.sorted(options("r", "S", "R", "s", "q"), new OptionOrder())));
    }

    @Test
    void canBeSerialized() throws Exception {
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try (ObjectOutputStream stream = new ObjectOutputStream(written)) {
            stream.writeObject(new OptionOrder());
        }
        try (ObjectInputStream stream = new ObjectInputStream(new ByteArrayInputStream(written.toByteArray()))) {
            OptionOrder order = (OptionOrder) stream.readObject();
            assertEquals("u V w", keys(OptionOrder.sorted(options("w", "V", "u"), order)));
        }
    }

    @Test
    void formattersHaveIt() {
        assertEquals("OptionOrder", new HelpFormatter().getOptionComparator().getClass().getSimpleName());
    }
}
