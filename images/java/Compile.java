package assay;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Compiles, in one process, each job that stands on stdin: a line of options between tabs, a line for each file,
 * an empty line. Answers each with a line on stdout: empty, or the first error as `path:line: text`.
 */
public final class Compile {
    private Compile() {
    }

    public static void main(String[] arguments) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        BufferedReader jobs = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        List<String> lines = new ArrayList<>();
        for (String line = jobs.readLine(); line != null; line = jobs.readLine()) {
            if (!line.isEmpty()) {
                lines.add(line);
                continue;
            }
            System.out.println(error(compiler, List.of(lines.get(0).split("\t")), lines.subList(1, lines.size())));
            lines.clear();
        }
    }

    private static String error(JavaCompiler compiler, List<String> options, List<String> paths) throws IOException {
        DiagnosticCollector<JavaFileObject> told = new DiagnosticCollector<>();
        StringWriter said = new StringWriter();
        boolean well;
        try (StandardJavaFileManager files =
                compiler.getStandardFileManager(told, null, StandardCharsets.UTF_8)) {
            well = compiler.getTask(
                    said, files, told, options, null, files.getJavaFileObjectsFromStrings(paths)).call();
        } catch (RuntimeException | StackOverflowError trouble) {
            return "the compiler gave up: " + oneLine(trouble.toString());
        }
        if (well) {
            return "";
        }
        for (Diagnostic<? extends JavaFileObject> each : told.getDiagnostics()) {
            if (each.getKind() == Diagnostic.Kind.ERROR) {
                return place(each) + oneLine(each.getMessage(null));
            }
        }
        return "javac failed: " + oneLine(said.toString());
    }

    private static String place(Diagnostic<? extends JavaFileObject> told) {
        if (told.getSource() == null) {
            return "";
        }
        String path = told.getSource().getName();
        return Path.of(path).normalize() + ":" + told.getLineNumber() + ": ";
    }

    private static String oneLine(String text) {
        String plain = text.strip().replaceAll("\\s+", " ");
        return plain.length() > 300 ? plain.substring(0, 300) : plain;
    }
}
