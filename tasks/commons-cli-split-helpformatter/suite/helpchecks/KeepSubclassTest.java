package helpchecks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Comparator;
import org.apache.commons.cli.HelpFormatter;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.Options;
import org.junit.jupiter.api.Test;

class KeepSubclassTest {

    private static String help(HelpFormatter formatter, int width) {
        Options options = new Options().addOption("f", "flood", true, "water comes in twice a day").addOption("E", "it goes out");
        StringWriter written = new StringWriter();
        formatter.printHelp(new PrintWriter(written), width, "tide", "What the sea does.", options, 2, 3, null, true);
        return written.toString();
    }

    @Test
    void paddingIsTheSubclasss() {
        HelpFormatter formatter = new HelpFormatter() {
            @Override
            protected String createPadding(int len) {
                return super.createPadding(len).replace(' ', '.');
            }
        };
        assertEquals("usage: tide [-E] [-f <arg>]\nWhat the sea does.\n..-E.................it goes\n.....................out\n..-f,--flood <arg>...water\n.....................comes in\n.....................twice a\n.....................day\n", help(formatter, 30));
    }

    @Test
    void placesOfBreaksAreTheSubclasss() {
        HelpFormatter formatter = new HelpFormatter() {
            @Override
            protected int findWrapPos(String text, int width, int startPos) {
                return super.findWrapPos(text, width - 3, startPos);
            }
        };
        assertEquals("usage: tide [-E] [-f <arg>]\nWhat the sea does.\n  -E                 it\n                     goes\n                     out\n  -f,--flood <arg>   water\n                     comes\n                     in\n                     twice\n                     a day\n", help(formatter, 30));
    }

    @Test
    void trimmingIsTheSubclasss() {
        HelpFormatter formatter = new HelpFormatter() {
            @Override
            protected String rtrim(String s) {
                return super.rtrim(s) + "$";
            }
        };
        assertEquals("usage: tide [-E] [-f <arg>]$\nWhat the sea does.$\n  -E                 it goes$\n                     out\n  -f,--flood <arg>   water$\n                     comes in$\n                     twice a$\n                     day\n", help(formatter, 30));
    }

    @Test
    void gettersAreTheSubclasss() {
        HelpFormatter formatter = new HelpFormatter() {
            @Override
            public String getArgName() {
                return "hours";
            }

            @Override
            public String getOptPrefix() {
                return "^";
            }

            @Override
            public String getLongOptPrefix() {
                return "^^";
            }

            @Override
            public String getSyntaxPrefix() {
                return "say: ";
            }
        };
        assertEquals("say: tide [-E] [-f <hours>]\nWhat the sea does.\n  ^E                   it goes out\n  ^f,^^flood <hours>   water comes in twice a day\n", help(formatter, 60));
    }

    @Test
    void newLineIsTheSubclasss() {
        HelpFormatter formatter = new HelpFormatter() {
            @Override
            public String getNewLine() {
                return ";";
            }
        };
        assertEquals("usage: tide [-E] [-f <arg>]\nWhat the sea does.\n  -E                 it goes;                     out;  -f,--flood <arg>   water;                     comes in;                     twice a;                     day\n", help(formatter, 30));
    }

    @Test
    void orderIsTheSubclasss() {
        HelpFormatter formatter = new HelpFormatter() {
            @Override
            public Comparator<Option> getOptionComparator() {
                return Comparator.comparing(Option::getKey).reversed();
            }
        };
        assertEquals("usage: tide [-f <arg>] [-E]\nWhat the sea does.\n  -f,--flood <arg>   water comes in twice a day\n  -E                 it goes out\n", help(formatter, 60));
    }

    @Test
    void printedTextGoesThroughTheSubclass() {
        StringBuilder seen = new StringBuilder();
        HelpFormatter formatter = new HelpFormatter() {
            @Override
            public void printWrapped(PrintWriter pw, int width, int nextLineTabStop, String text) {
                seen.append(nextLineTabStop).append(':').append(text).append('\n');
                super.printWrapped(pw, width, nextLineTabStop, text);
            }
        };
        assertEquals("usage: tide [-E] [-f <arg>]\nWhat the sea does.\n  -E                 it goes out\n  -f,--flood <arg>   water comes in\n                     twice a day\n", help(formatter, 40));
        assertEquals("7:usage: tide [-E] [-f <arg>]\n0:What the sea does.\n", seen.toString());
    }

    @Test
    void partsOfHelpGoThroughTheSubclass() {
        HelpFormatter formatter = new HelpFormatter() {
            @Override
            public void printUsage(PrintWriter pw, int width, String app, Options options) {
                pw.println("{" + app + " " + options.getOptions().size() + "}");
            }

            @Override
            public void printOptions(PrintWriter pw, int width, Options options, int leftPad, int descPad) {
                pw.println("(" + width + " " + leftPad + " " + descPad + ")");
            }
        };
        assertEquals("{tide 2}\nWhat the sea does.\n(44 2 3)\n", help(formatter, 44));
    }
}
