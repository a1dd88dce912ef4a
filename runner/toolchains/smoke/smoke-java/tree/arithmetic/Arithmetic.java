package arithmetic;

public final class Arithmetic {
    public static int add(int left, int right) {
        return left + right;
    }
}
