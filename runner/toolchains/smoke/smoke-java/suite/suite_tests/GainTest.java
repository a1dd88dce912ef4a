package suite_tests;

import static org.junit.jupiter.api.Assertions.assertEquals;

import arithmetic.Arithmetic;
import org.junit.jupiter.api.Test;

class GainTest {
    @Test
    void twice() {
        assertEquals(42, Arithmetic.twice(21));
    }
}
