package helpchecks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Comparator;
import org.apache.commons.cli.DeprecatedAttributes;
import org.apache.commons.cli.HelpFormatter;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.junit.jupiter.api.Test;

class KeepOptionsTest {

    /** Shows what is protected. */
    private static final class Open extends HelpFormatter {

        String rendered(Options options, int width) {
            return renderOptions(new StringBuffer("> "), width, options, 2, 4).toString();
        }
    }

    private static String table(HelpFormatter formatter, int width, Options options) {
        StringWriter written = new StringWriter();
        formatter.printOptions(new PrintWriter(written), width, options, formatter.getLeftPadding(), formatter.getDescPadding());
        return written.toString();
    }

    private static Options crew() {
        return new Options()
            .addOption("c", "cook", false, "who boils the peas")
            .addOption("B", true, "who blows the whistle")
            .addOption(Option.builder().longOpt("ancient-mariner").hasArg().argName("age").desc("who stops one of three").build())
            .addOption(Option.builder("d").build());
    }

    private static Options dated() {
        return new Options()
            .addOption(Option.builder("a").longOpt("aft").desc("to the stern").since("1.2").build())
            .addOption(Option.builder("f").longOpt("fore-and-aft").desc("both ways").build())
            .addOption(Option.builder("p").desc("to the left").since("0.9-beta").build());
    }

    private static Options obsolete() {
        DeprecatedAttributes why = DeprecatedAttributes.builder().setDescription("use steam").setSince("1850").setForRemoval(true).get();
        return new Options()
            .addOption(Option.builder("o").longOpt("oar").desc("row").deprecated(why).build())
            .addOption(Option.builder("s").desc("sail").build())
            .addOption(Option.builder("t").deprecated().build());
    }

    @Test
    void namesStandInAColumn() {
        assertEquals("    --ancient-mariner <age>   who stops one of three\n -B <arg>                     who blows the whistle\n -c,--cook                    who boils the peas\n -d\n", table(new HelpFormatter(), 74, crew()));
    }

    @Test
    void prefixesAndSeparatorCanBeSet() {
        HelpFormatter formatter = new HelpFormatter();
        formatter.setOptPrefix("+");
        formatter.setLongOptPrefix("++");
        formatter.setLongOptSeparator(":");
        assertEquals("    ++ancient-mariner:<age>   who stops one of three\n +B <arg>                     who blows the whistle\n +c,++cook                    who boils the peas\n +d\n", table(formatter, 74, crew()));
    }

    @Test
    void separatorStandsAfterAnyLongName() {
        Options options = new Options()
            .addOption(Option.builder("l").longOpt("log").hasArg().build())
            .addOption(Option.builder("m").hasArg().argName("map").desc("chart").build())
            .addOption(Option.builder("n").longOpt("net").hasArg().argName("").desc("fish").build());
        HelpFormatter formatter = new HelpFormatter();
        formatter.setLongOptSeparator("=");
        formatter.setArgName("value");
        assertEquals(" -l,--log=<value>\n -m <map>           chart\n -n,--net           fish\n", table(formatter, 74, options));
    }

    @Test
    void paddingsAreObeyed() {
        HelpFormatter formatter = new HelpFormatter();
        formatter.setLeftPadding(4);
        formatter.setDescPadding(1);
        assertEquals("       --ancient-mariner <age> who stops one of three\n    -B <arg>                   who blows the whistle\n    -c,--cook                  who boils the peas\n    -d\n", table(formatter, 74, crew()));
        formatter.setLeftPadding(0);
        formatter.setDescPadding(0);
        assertEquals("   --ancient-mariner <age>who stops one of three\n-B <arg>                  who blows the whistle\n-c,--cook                 who boils the peas\n-d\n", table(formatter, 74, crew()));
    }

    @Test
    void descriptionsAreFoldedBesideTheNames() {
        Options options = new Options()
            .addOption("h", "haul", false, "pull on the rope until the flag is at the top of the mast")
            .addOption("w", "when the wind has gone down\nand the rain too, whistle");
        assertEquals(" -h,--haul   pull on the rope\n             until the flag is at\n             the top of the mast\n -w          when the wind has\n             gone down\n             and the rain too,\n             whistle\n", table(new HelpFormatter(), 34, options));
    }

    @Test
    void descriptionsWithoutRoomAreFoldedAtTheMargin() {
        Options options = new Options().addOption("v", "very-long-name-of-a-vessel", true, "wide as the sea itself");
        assertEquals(" -v,--very-long-name-of-\n a-vessel <arg>   wide\n as the sea itself\n", table(new HelpFormatter(), 24, options));
    }

    @Test
    void versionsStandInAColumnOfTheirOwn() {
        HelpFormatter formatter = HelpFormatter.builder().setShowSince(true).get();
        assertEquals("Options            Since    Description\n -a,--aft          1.2        to the stern\n -f,--fore-and-aft -          both ways\n -p                0.9-beta   to the left\n", table(formatter, 74, dated()));
    }

    @Test
    void columnOfVersionsIsAtLeastAsWideAsItsTitle() {
        HelpFormatter formatter = HelpFormatter.builder().setShowSince(true).get();
        Options options = new Options()
            .addOption(Option.builder("galley").desc("oars").since("2").build())
            .addOption(Option.builder().longOpt("hulk").hasArg().desc("none").build());
        formatter.setLeftPadding(3);
        assertEquals("Options              Since   Description\n   -galley           2       oars\n      --hulk <arg>   -       none\n", table(formatter, 74, options));
    }

    @Test
    void versionsAreFoldedWithTheirTitles() {
        HelpFormatter formatter = HelpFormatter.builder().setShowSince(true).get();
        assertEquals("Options            Since\n Description\n -a,--aft          1.2\n to the stern\n -f,--fore-and-aft -\n both ways\n -p                0.9-beta\n to the left\n", table(formatter, 30, dated()));
    }

    @Test
    void deprecatedOptionsAreMarkedOnRequest() {
        assertEquals(" -o,--oar   row\n -s         sail\n -t\n", table(new HelpFormatter(), 74, obsolete()));
        assertEquals(" -o,--oar   [Deprecated] row\n -s         sail\n -t         [Deprecated]\n", table(HelpFormatter.builder().setShowDeprecated(true).get(), 74, obsolete()));
    }

    @Test
    void deprecatedOptionsAreDescribedByTheCaller() {
        HelpFormatter formatter = HelpFormatter.builder().setShowDeprecated(o -> "  " + o.getKey() + "! " + o.getDeprecated() + "  ").get();
        assertEquals(" -o,--oar   o! Deprecated for removal since 1850: use steam\n -s         sail\n -t         t! Deprecated\n", table(formatter, 74, obsolete()));
        assertEquals(" -o,--oar   row\n -s         sail\n -t\n", table(HelpFormatter.builder().setShowDeprecated(false).get(), 74, obsolete()));
    }

    @Test
    void orderIsTheComparators() {
        HelpFormatter formatter = new HelpFormatter();
        formatter.setOptionComparator(null);
        assertEquals(" -c,--cook                    who boils the peas\n -B <arg>                     who blows the whistle\n    --ancient-mariner <age>   who stops one of three\n -d\n", table(formatter, 74, crew()));
        formatter.setOptionComparator(Comparator.comparing(o -> -o.getKey().length()));
        assertEquals("    --ancient-mariner <age>   who stops one of three\n -c,--cook                    who boils the peas\n -B <arg>                     who blows the whistle\n -d\n", table(formatter, 74, crew()));
    }

    @Test
    void tableIsAppendedToABuffer() {
        assertEquals(">      --ancient-mariner <age>    who\n                                stops\n                                one of\n                                three\n  -B <arg>                      who\n                                blows\n                                the\n                                whistle\n  -c,--cook                     who\n                                boils\n                                the peas\n  -d", new Open().rendered(crew(), 40));
    }

    @Test
    void newLineStandsBetweenRows() {
        HelpFormatter formatter = new HelpFormatter();
        formatter.setNewLine("|");
        assertEquals("    --ancient-mariner <age>   who|                              stops|                              one of|                              three| -B <arg>                     who|                              blows|                              the|                              whistl|                              e| -c,--cook                    who|                              boils|                              the|                              peas| -d\n", table(formatter, 36, crew()));
    }
}
