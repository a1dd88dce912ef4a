package assay;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectNestedMethod;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests of one class, each as a request of its own: arguments are where to tell, the class, and the tests by
 * `method` or `Nested.method`. Tells a line when a test begins and when it ends, and a last one. Nothing on the
 * class path or in a properties file changes what JUnit does.
 */
public final class Launch {
    private static final String SKIPPED = "skipped";
    private static final String FAILED = "failed";

    private Launch() {
    }

    public static void main(String[] arguments) throws IOException {
        OutputStream told = new FileOutputStream(arguments[0]);
        Launcher launcher = LauncherFactory.create(LauncherConfig.builder()
                .enableTestEngineAutoRegistration(false)
                .addTestEngines(new JupiterTestEngine())
                .enableLauncherSessionListenerAutoRegistration(false)
                .enableLauncherDiscoveryListenerAutoRegistration(false)
                .enablePostDiscoveryFilterAutoRegistration(false)
                .enableTestExecutionListenerAutoRegistration(false)
                .build());
        for (int number = 2; number < arguments.length; number++) {
            tell(told, "start " + (number - 2));
            long begun = System.nanoTime();
            String[] outcome = run(launcher, arguments[1], arguments[number]);
            double seconds = (System.nanoTime() - begun) / 1e9;
            String why = URLEncoder.encode(outcome[1], StandardCharsets.UTF_8);
            tell(told, "end " + (number - 2) + " " + outcome[0] + " " + seconds + " " + why);
        }
        tell(told, "closed");
        Runtime.getRuntime().halt(0);
    }

    private static void tell(OutputStream told, String line) throws IOException {
        told.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static String[] run(Launcher launcher, String unit, String test) {
        DiscoverySelector chosen;
        try {
            chosen = selector(unit, test);
        } catch (ReflectiveOperationException | LinkageError | IllegalStateException trouble) {
            return new String[] {FAILED, oneLine(trouble)};
        }
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(chosen)
                .enableImplicitConfigurationParameters(false)
                .build();
        Heard heard = new Heard(unit);
        try {
            launcher.execute(request, heard);
        } catch (RuntimeException | Error trouble) {
            return new String[] {FAILED, oneLine(trouble)};
        }
        return heard.outcome();
    }

    private static DiscoverySelector selector(String unit, String test) throws ReflectiveOperationException {
        ClassLoader loader = Launch.class.getClassLoader();
        String[] names = test.split("\\.");
        List<Class<?>> around = new ArrayList<>();
        Class<?> holder = Class.forName(unit, false, loader);
        for (int depth = 0; depth < names.length - 1; depth++) {
            around.add(holder);
            holder = Class.forName(holder.getName() + "$" + names[depth], false, loader);
        }
        Method method = only(holder, names[names.length - 1]);
        return around.isEmpty() ? selectMethod(holder, method) : selectNestedMethod(around, holder, method);
    }

    private static Method only(Class<?> holder, String name) throws NoSuchMethodException {
        Method found = null;
        for (Method each : holder.getDeclaredMethods()) {
            if (each.getName().equals(name) && !each.isSynthetic() && !Modifier.isStatic(each.getModifiers())) {
                if (found != null) {
                    throw new IllegalStateException("two methods are called " + name);
                }
                found = each;
            }
        }
        if (found == null) {
            throw new NoSuchMethodException(holder.getName() + "." + name);
        }
        return found;
    }

    private static String oneLine(Throwable trouble) {
        return String.valueOf(trouble).strip().replaceAll("\\s+", " ");
    }

    /** What came of one request: every row of a test with parameters has to pass. */
    private static final class Heard implements TestExecutionListener {
        private final String unit;
        private int passed;
        private boolean failed;
        private boolean left;
        private String why = "";

        Heard(String unit) {
            this.unit = unit;
        }

        @Override
        public void executionSkipped(TestIdentifier test, String reason) {
            left = true;
            note(reason);
        }

        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            switch (result.getStatus()) {
                case FAILED -> {
                    note(result.getThrowable().map(this::place).orElse("failed"));
                    failed = true;
                }
                case ABORTED -> {
                    note(result.getThrowable().map(Launch::oneLine).orElse("aborted"));
                    left = true;
                }
                default -> passed += test.isTest() ? 1 : 0;
            }
        }

        private void note(String reason) {
            if (!failed && why.isEmpty()) {
                why = reason;
            }
        }

        private String place(Throwable trouble) {
            for (StackTraceElement each : trouble.getStackTrace()) {
                if (each.getClassName().startsWith(unit)) {
                    return each.getFileName() + ":" + each.getLineNumber() + ": " + oneLine(trouble);
                }
            }
            return oneLine(trouble);
        }

        String[] outcome() {
            if (failed) {
                return new String[] {FAILED, why};
            }
            if (left) {
                return new String[] {SKIPPED, why};
            }
            return passed > 0 ? new String[] {"passed", ""} : new String[] {FAILED, "JUnit ran no such test"};
        }
    }
}
