package assay;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** What the archives of loaded classes are made with: a test that uses what tests use. */
public class Sample {
    @Test
    void sample() {
        assertEquals("2", String.valueOf(1 + 1));
        assertEquals(2, 1 + 1);
    }
}
