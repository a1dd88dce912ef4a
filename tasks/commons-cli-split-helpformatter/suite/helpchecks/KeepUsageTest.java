package helpchecks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Comparator;
import org.apache.commons.cli.HelpFormatter;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.OptionGroup;
import org.apache.commons.cli.Options;
import org.junit.jupiter.api.Test;

class KeepUsageTest {

    private static String usage(HelpFormatter formatter, int width, String app, Options options) {
        StringWriter written = new StringWriter();
        formatter.printUsage(new PrintWriter(written), width, app, options);
        return written.toString();
    }

    private static Option named(String longOpt) {
        return Option.builder().longOpt(longOpt).build();
    }

    @Test
    void optionsAreSortedWhateverTheirCase() {
        Options options = new Options().addOption("b", "two").addOption("D", "four").addOption("a", "one").addOption("C", "three");
        assertEquals("usage: ship [-a] [-b] [-C] [-D]\n", usage(new HelpFormatter(), 74, "ship", options));
    }

    @Test
    void longNamesSortAmongShortOnes() {
        Options options = new Options().addOption("m", "").addOption(named("keel")).addOption(named("Zinc")).addOption("P", "");
        assertEquals("usage: ship [--keel] [-m] [-P] [--Zinc]\n", usage(new HelpFormatter(), 74, "ship", options));
    }

    @Test
    void requiredOptionsHaveNoBrackets() {
        Options options = new Options().addRequiredOption("q", "quay", true, "where").addOption("r", "rig", true, "what");
        assertEquals("usage: dock -q <arg> [-r <arg>]\n", usage(new HelpFormatter(), 74, "dock", options));
    }

    @Test
    void argumentsHaveTheirOwnNameTheDefaultOrNone() {
        Options options = new Options()
            .addOption(Option.builder("x").hasArg().argName("knots").build())
            .addOption(Option.builder("y").hasArg().build())
            .addOption(Option.builder("z").hasArg().argName("").build());
        assertEquals("usage: log [-x <knots>] [-y <arg>] [-z]\n", usage(new HelpFormatter(), 74, "log", options));
        HelpFormatter other = new HelpFormatter();
        other.setArgName("fathoms");
        assertEquals("usage: log [-x <knots>] [-y <fathoms>] [-z]\n", usage(other, 74, "log", options));
    }

    @Test
    void separatorStandsAfterLongNamesWithoutShortOnes() {
        Options options = new Options()
            .addOption(Option.builder().longOpt("heading").hasArg().argName("deg").build())
            .addOption(Option.builder("s").longOpt("speed").hasArg().argName("kn").build());
        HelpFormatter formatter = new HelpFormatter();
        formatter.setLongOptSeparator("=");
        assertEquals("usage: helm [--heading=<deg>] [-s <kn>]\n", usage(formatter, 74, "helm", options));
    }

    @Test
    void prefixesOfTheTableAreNotUsed() {
        HelpFormatter formatter = new HelpFormatter();
        formatter.setOptPrefix("/");
        formatter.setLongOptPrefix("//");
        Options options = new Options().addOption("a", "").addOption(named("brig"));
        assertEquals("usage: helm [-a] [--brig]\n", usage(formatter, 74, "helm", options));
    }

    @Test
    void groupsHaveBarsAndBracketsUnlessRequired() {
        OptionGroup free = new OptionGroup().addOption(new Option("s", "")).addOption(new Option("R", "")).addOption(named("drift"));
        assertEquals("usage: sail [--drift | -R | -s]\n", usage(new HelpFormatter(), 74, "sail", new Options().addOptionGroup(free)));
        OptionGroup asked = new OptionGroup().addOption(new Option("u", true, "")).addOption(new Option("T", ""));
        asked.setRequired(true);
        assertEquals("usage: sail -T | -u <arg>\n", usage(new HelpFormatter(), 74, "sail", new Options().addOptionGroup(asked)));
    }

    @Test
    void laterMembersOfGroupsLeaveTheirBlanks() {
        OptionGroup group = new OptionGroup().addOption(new Option("b", "")).addOption(new Option("d", "")).addOption(new Option("e", ""));
        Options options = new Options().addOption("a", "").addOptionGroup(group).addOption("c", "").addOption("f", "");
        assertEquals("usage: tide [-a] [-b | -d | -e] [-c]   [-f]\n", usage(new HelpFormatter(), 74, "tide", options));
    }

    @Test
    void twoGroupsAreWrittenWhereTheirFirstMemberStands() {
        OptionGroup one = new OptionGroup().addOption(new Option("a", "")).addOption(new Option("d", ""));
        OptionGroup two = new OptionGroup().addOption(new Option("b", "")).addOption(new Option("c", ""));
        two.setRequired(true);
        assertEquals("usage: tide [-a | -d] -b | -c\n", usage(new HelpFormatter(), 74, "tide", new Options().addOptionGroup(two).addOptionGroup(one)));
    }

    @Test
    void noComparatorMeansTheOrderOfDeclaration() {
        OptionGroup group = new OptionGroup().addOption(new Option("n", "")).addOption(new Option("k", ""));
        Options options = new Options().addOption("z", "").addOptionGroup(group).addOption("a", "");
        HelpFormatter formatter = new HelpFormatter();
        formatter.setOptionComparator(null);
        assertEquals("usage: reef [-z] [-n | -k]  [-a]\n", usage(formatter, 74, "reef", options));
    }

    @Test
    void comparatorOrdersGroupsInsideToo() {
        OptionGroup group = new OptionGroup().addOption(new Option("k", "")).addOption(new Option("n", ""));
        Options options = new Options().addOption("a", "").addOptionGroup(group).addOption("z", "");
        HelpFormatter formatter = new HelpFormatter();
        formatter.setOptionComparator(Comparator.comparing(Option::getKey).reversed());
        assertEquals("usage: reef [-z] [-n | -k]  [-a]\n", usage(formatter, 74, "reef", options));
    }

    @Test
    void longStatementsAreFoldedBehindThePrefix() {
        Options options = new Options();
        for (String name : new String[] {"anchor", "ballast", "compass", "davit", "ensign"}) {
            options.addOption(Option.builder().longOpt(name).hasArg().build());
        }
        assertEquals("usage: schooner [--anchor <arg>]\n       [--ballast <arg>] [--compass\n       <arg>] [--davit <arg>] [--ensign\n       <arg>]\n", usage(new HelpFormatter(), 40, "schooner", options));
        HelpFormatter bare = new HelpFormatter();
        bare.setSyntaxPrefix("Call:");
        assertEquals("Call:schooner [--anchor <arg>]\n              [--ballast <arg>]\n              [--compass <arg>] [--davit\n              <arg>] [--ensign <arg>]\n", usage(bare, 40, "schooner", options));
    }

    @Test
    void noOptionsLeaveTheName() {
        assertEquals("usage: raft\n", usage(new HelpFormatter(), 74, "raft", new Options()));
    }

    @Test
    void givenSyntaxIsFoldedBehindItsFirstWord() {
        StringWriter written = new StringWriter();
        new HelpFormatter().printUsage(new PrintWriter(written), 30, "yawl [options] harbour harbour [more harbours]");
        assertEquals("usage: yawl [options] harbour\n            harbour [more\n            harbours]\n", written.toString());
        StringWriter oneWord = new StringWriter();
        new HelpFormatter().printUsage(new PrintWriter(oneWord), 12, "yawl-of-the-north");
        assertEquals("usage:\n       yawl-\n       of-th\n       e-nor\n       th\n", oneWord.toString());
    }
}
