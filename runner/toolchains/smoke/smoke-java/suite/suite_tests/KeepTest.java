package suite_tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import arithmetic.Arithmetic;
import org.junit.jupiter.api.Test;

class KeepTest {
    @Test
    void add() {
        assertEquals(5, Arithmetic.add(2, 3));
    }
}
