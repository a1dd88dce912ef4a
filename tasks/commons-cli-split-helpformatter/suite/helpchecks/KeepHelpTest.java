package helpchecks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.commons.cli.HelpFormatter;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.junit.jupiter.api.Test;

class KeepHelpTest {

    private static Options harbour() {
        return new Options()
            .addOption("t", "tug", true, "name of the tug")
            .addOption("p", "pilot", false, "take a pilot on board")
            .addOption(Option.builder("b").longOpt("berth").hasArg().argName("number").required().desc("where to moor").build());
    }

    @Test
    void helpHasUsageHeaderTableAndFooter() {
        StringWriter written = new StringWriter();
        HelpFormatter formatter = HelpFormatter.builder().setPrintWriter(new PrintWriter(written)).get();
        formatter.printHelp("moor", "Brings a ship in.\n", harbour(), "\nAsk the harbour master.", true);
        assertEquals("usage: moor -b <number> [-p] [-t <arg>]\nBrings a ship in.\n -b,--berth <number>   where to moor\n -p,--pilot            take a pilot on board\n -t,--tug <arg>        name of the tug\n\nAsk the harbour master.\n", written.toString());
    }

    @Test
    void helpWithoutHeaderAndFooter() {
        StringWriter written = new StringWriter();
        HelpFormatter formatter = HelpFormatter.builder().setPrintWriter(new PrintWriter(written)).get();
        formatter.printHelp("moor [options] ship", "", harbour(), null);
        assertEquals("usage: moor [options] ship\n -b,--berth <number>   where to moor\n -p,--pilot            take a pilot on board\n -t,--tug <arg>        name of the tug\n", written.toString());
    }

    @Test
    void helpOfAGivenWidth() {
        StringWriter written = new StringWriter();
        HelpFormatter formatter = HelpFormatter.builder().setPrintWriter(new PrintWriter(written)).get();
        formatter.printHelp(32, "moor", "Brings a ship of any size into the old harbour.", harbour(), "Mind the chain across the entrance.", true);
        assertEquals("usage: moor -b <number> [-p] [-t\n       <arg>]\nBrings a ship of any size into\nthe old harbour.\n -b,--berth <number>   where to\n                       moor\n -p,--pilot            take a\n                       pilot on\n                       board\n -t,--tug <arg>        name of\n                       the tug\nMind the chain across the\nentrance.\n", written.toString());
    }

    @Test
    void helpOfTheFormattersWidth() {
        StringWriter written = new StringWriter();
        HelpFormatter formatter = HelpFormatter.builder().setPrintWriter(new PrintWriter(written)).get();
        formatter.setWidth(28);
        formatter.printHelp("moor", harbour(), true);
        assertEquals("usage: moor -b <number> [-p]\n       [-t <arg>]\n -b,--berth <number>   where\n                       to\n                       moor\n -p,--pilot            take\n                       a\n                       pilot\n                       on\n                       board\n -t,--tug <arg>        name\n                       of\n                       the\n                       tug\n", written.toString());
    }

    @Test
    void helpWithPaddingsOfItsOwn() {
        StringWriter written = new StringWriter();
        new HelpFormatter().printHelp(new PrintWriter(written), 50, "moor", "Head", harbour(), 5, 2, "Foot");
        assertEquals("usage: moor\nHead\n     -b,--berth <number>  where to moor\n     -p,--pilot           take a pilot on board\n     -t,--tug <arg>       name of the tug\nFoot\n", written.toString());
    }

    @Test
    void helpNeedsASyntax() {
        Options none = new Options();
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> new HelpFormatter().printHelp("", none));
        assertEquals("cmdLineSyntax not provided", refused.getMessage());
    }

    @Test
    void publicFieldsAreRead() {
        StringWriter written = new StringWriter();
        HelpFormatter formatter = new HelpFormatter();
        formatter.defaultArgName = "what";
        formatter.defaultOptPrefix = "_";
        formatter.defaultLongOptPrefix = "__";
        formatter.defaultSyntaxPrefix = "do ";
        formatter.defaultNewLine = "/";
        formatter.printHelp(new PrintWriter(written), 24, "moor", null, harbour(), 1, 3, null, true);
        assertEquals("do moor -b <number> [-p]/   [-t <what>]\n _b,__berth <number>/                       w/                       h/                       e/                       r/                       e/                       t/                       o/                       m/                       o/                       o/                       r/ _p,__pilot/                       t/                       a/                       k/                       e/                       a/                       p/                       i/                       l/                       o/                       t/                       o/                       n/                       b/                       o/                       a/                       r/                       d/ _t,__tug <what>/                       n/                       a/                       m/                       e/                       o/                       f/                       t/                       h/                       e/                       t/                       u/                       g\n", written.toString());
    }

    @Test
    void descriptionIsNeverMissing() {
        assertEquals("<yard>", "<" + HelpFormatter.getDescription(new Option("x", null)) + HelpFormatter.getDescription(new Option("y", "yard")) + ">");
    }
}
