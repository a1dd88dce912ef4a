package helpchecks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.commons.cli.HelpStyle;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.OptionGroup;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.UsageRenderer;
import org.junit.jupiter.api.Test;

class GainUsageTest {

    private static UsageRenderer plain() {
        return new UsageRenderer(HelpStyle.builder().get());
    }

    private static UsageRenderer odd() {
        return new UsageRenderer(
            HelpStyle.builder().setArgName("it").setOptPrefix("/").setLongOptPrefix("//").setLongOptSeparator("=").setOptionComparator(null).get());
    }

    @Test
    void optionsWithAndWithoutBrackets() {
        assertEquals("[-w <arg>]", plain().option(new Option("w", "whale", true, "seen"), false));
        assertEquals("-w <arg>", plain().option(new Option("w", "whale", true, "seen"), true));
        assertEquals("--orca <pod>", plain().option(Option.builder().longOpt("orca").hasArg().argName("pod").build(), true));
    }

    @Test
    void optionsObeyTheStyle() {
        assertEquals("[-w <it>]", odd().option(new Option("w", "whale", true, "seen"), false));
        assertEquals("[--orca=<it>]", odd().option(Option.builder().longOpt("orca").hasArg().build(), false));
        assertEquals("[--seal]", odd().option(Option.builder().longOpt("seal").hasArg().argName("").build(), false));
    }

    @Test
    void groupsAreSortedByTheStyle() {
        OptionGroup group = new OptionGroup().addOption(new Option("q", "")).addOption(new Option("G", true, "")).addOption(new Option("p", ""));
        assertEquals("[-G <arg> | -p | -q]", plain().group(group));
        assertEquals("[-q | -G <it> | -p]", odd().group(group));
    }

    @Test
    void requiredGroupsHaveNoBrackets() {
        OptionGroup group = new OptionGroup().addOption(new Option("s", "")).addOption(Option.builder().longOpt("moor").build());
        group.setRequired(true);
        assertEquals("--moor | -s", plain().group(group));
    }

    @Test
    void usageHasTheNameAndAllOptions() {
        Options options = new Options().addOption("n", "net", true, "").addRequiredOption("L", "line", false, "").addOption("b", "bait", true, "");
        assertEquals("fish [-b <arg>] -L [-n <arg>]", plain().usage("fish", options));
        assertEquals("fish [-n <it>] -L [-b <it>]", odd().usage("fish", options));
    }

    @Test
    void usageKeepsTheBlanksOfGroups() {
        OptionGroup group = new OptionGroup().addOption(new Option("a", "")).addOption(new Option("c", "")).addOption(new Option("e", ""));
        Options options = new Options().addOptionGroup(group).addOption("b", "").addOption("d", "").addOption("f", "");
        assertEquals("fish [-a | -c | -e] [-b]  [-d]  [-f]", plain().usage("fish", options));
    }

    @Test
    void usageIsNotFolded() {
        Options options = new Options();
        for (int number = 1; number <= 9; number++) {
            options.addOption(Option.builder().longOpt("harpoon" + number).hasArg().build());
        }
        assertEquals(177, plain().usage("whaler", options).length());
        assertEquals(159, plain().usage("whaler", options).lastIndexOf("["));
    }
}
