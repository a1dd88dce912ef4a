package helpchecks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.commons.cli.HelpFormatter;
import org.junit.jupiter.api.Test;

class KeepFoldingTest {

    /** Shows what is protected. */
    private static final class Open extends HelpFormatter {

        String rendered(int width, int tabStop, String text) {
            return renderWrappedText(new StringBuffer("> "), width, tabStop, text).toString();
        }

        int position(String text, int width, int from) {
            return findWrapPos(text, width, from);
        }

        String blanks(int length) {
            return createPadding(length);
        }

        String trimmed(String text) {
            return rtrim(text);
        }
    }

    private static String printed(HelpFormatter formatter, int width, int tabStop, String text) {
        StringWriter written = new StringWriter();
        formatter.printWrapped(new PrintWriter(written), width, tabStop, text);
        return written.toString();
    }

    @Test
    void textIsFoldedAtBlanks() {
        assertEquals("The lighthouse\nkeeper counts ships\nand gulls until dusk\n", printed(new HelpFormatter(), 20, 0, "The lighthouse keeper counts ships and gulls until dusk"));
        assertEquals("The lighthouse\n    keeper counts\n    ships and gulls\n    until dusk\n", printed(new HelpFormatter(), 20, 4, "The lighthouse keeper counts ships and gulls until dusk"));
    }

    @Test
    void longWordsAreChopped() {
        assertEquals("nor'-nor\n  '-west\n  erly\n  breeze\n", printed(new HelpFormatter(), 8, 2, "nor'-nor'-westerly breeze"));
    }

    @Test
    void linesAreFoldedOneByOne() {
        assertEquals("first watch\n   of the\n   night\n\n  second\n   watch\nthird\n", printed(new HelpFormatter(), 12, 3, "first watch of the night\n\n  second watch\r\nthird"));
    }

    @Test
    void tabulatorsBreakLines() {
        assertEquals("port\n  starboard and\n  stern\n", printed(new HelpFormatter(), 16, 2, "port\tstarboard and\tstern"));
    }

    @Test
    void indentAsWideAsTheLineIsOne() {
        assertEquals("eight\n bells and\n all is\n well\n", printed(new HelpFormatter(), 10, 10, "eight bells and all is well"));
        assertEquals("eight\n         b\n         e\n         l\n         l\n         s\n         a\n         n\n         d\n         a\n         l\n         l\n         i\n         s\n         w\n         e\n         l\n         l\n", printed(new HelpFormatter(), 10, 9, "eight bells and all is well"));
    }

    @Test
    void blanksAtTheEndOfLinesGo() {
        assertEquals("mizzen\n mast\n   boom\n \n", printed(new HelpFormatter(), 9, 1, "mizzen    mast    \n   boom   "));
    }

    @Test
    void newLineIsWrittenBetweenLines() {
        HelpFormatter formatter = new HelpFormatter();
        formatter.setNewLine("~");
        assertEquals("hoist the~  jib~lower the~  anchor~  now\n", printed(formatter, 11, 2, "hoist the jib\nlower the anchor now"));
    }

    @Test
    void withoutIndentTextStartsAtTheMargin() {
        StringWriter written = new StringWriter();
        new HelpFormatter().printWrapped(new PrintWriter(written), 14, "spring tides follow the full moon");
        assertEquals("spring tides\nfollow the\nfull moon\n", written.toString());
    }

    @Test
    void renderedTextTreatsLineEndsAsBreaks() {
        assertEquals("> one\n   two three\n   four five\n   six", new Open().rendered(12, 3, "one\n  two three four five\nsix"));
    }

    @Test
    void renderedTextThatFitsIsAppended() {
        assertEquals("> calm sea", new Open().rendered(30, 3, "calm sea  "));
    }

    @Test
    void positionsOfBreaks() {
        Open open = new Open();
        assertEquals(7, open.position("stay in the lee of the isle", 10, 0));
        assertEquals(18, open.position("stay in the lee of the isle", 10, 8));
        assertEquals(-1, open.position("stay in the lee of the isle", 10, 20));
        assertEquals(6, open.position("headlandandbay", 6, 0));
        assertEquals(2, open.position("a\nbcdefghi", 5, 0));
        assertEquals(5, open.position("abcd\tefghi", 7, 0));
        assertEquals(3, open.position("abc\rdefghi", 5, 0));
        assertEquals(5, open.position("abcdefg\nhi", 5, 0));
    }

    @Test
    void paddingAndTrimming() {
        Open open = new Open();
        assertEquals("[    ]", "[" + open.blanks(4) + open.blanks(0) + "]");
        assertEquals("  ebb", open.trimmed("  ebb \t\n "));
    }
}
