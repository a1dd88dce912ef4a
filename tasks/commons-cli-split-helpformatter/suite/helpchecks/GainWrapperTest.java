package helpchecks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.commons.cli.TextWrapper;
import org.junit.jupiter.api.Test;

class GainWrapperTest {

    @Test
    void foldsAtBlanksAndIndents() {
        assertEquals("The tide turns\nand takes the\nsand with it", new TextWrapper(16, "\n").wrap("The tide turns and takes the sand with it", 0));
        assertEquals("The tide turns\n     and takes\n     the sand\n     with it", new TextWrapper(16, "\n").wrap("The tide turns and takes the sand with it", 5));
    }

    @Test
    void chopsLongWords() {
        assertEquals("breakwa\n  ter-b\n  uilde\n  rs", new TextWrapper(7, "\n").wrap("breakwater-builders", 2));
    }

    @Test
    void writesItsOwnNewLine() {
        assertEquals("salt in /  the /  wound", new TextWrapper(9, " / ").wrap("salt in the wound", 1));
    }

    @Test
    void breaksAtLineEndsAndTabulators() {
        assertEquals("sand\n  and\n  shingle and\n  shells", new TextWrapper(20, "\n").wrap("sand\nand   \tshingle and  shells", 2));
    }

    @Test
    void indentsByOneWhereTheIndentLeavesNoRoom() {
        assertEquals("ropes\n and\n pulleys", new TextWrapper(8, "\n").wrap("ropes and pulleys", 8));
        assertEquals("ropes\n       a\n       n\n       d\n       p\n       u\n       l\n       l\n       e\n       y\n       s", new TextWrapper(8, "\n").wrap("ropes and pulleys", 7));
    }

    @Test
    void foldsLinesOneByOne() {
        assertEquals("north by north\n   east\n\n    south\nwest", new TextWrapper(14, "\n").wrapLines("north by north east\n  \n    south\r\nwest", 3));
    }

    @Test
    void linesHaveNoEndAfterTheLast() {
        assertEquals("fog||horn", new TextWrapper(14, "|").wrapLines("fog\n\nhorn\n", 3));
    }

    @Test
    void findsBreaks() {
        assertEquals(7, new TextWrapper(9, "\n").breakPosition("draw up the boats", 0));
        assertEquals(11, new TextWrapper(9, "\n").breakPosition("draw up the boats", 5));
        assertEquals(6, new TextWrapper(6, "\n").breakPosition("bulkheads", 0));
        assertEquals(2, new TextWrapper(9, "\n").breakPosition("a\tb c d e f g", 0));
        assertEquals(-1, new TextWrapper(20, "\n").breakPosition("draw up the boats", 0));
    }

    @Test
    void padsAndTrims() {
        TextWrapper wrapper = new TextWrapper(30, "\n");
        assertEquals("[   ] []", "[" + wrapper.padding(3) + "]" + wrapper.padding(1) + "[" + wrapper.padding(0) + "]");
        assertEquals(" \tswell", wrapper.trimEnd(" \tswell \n\t "));
    }
}
