package helpchecks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.commons.cli.HelpStyle;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.OptionTable;
import org.apache.commons.cli.Options;
import org.apache.commons.cli.TextWrapper;
import org.junit.jupiter.api.Test;

class GainTableTest {

    private static Options cargo() {
        return new Options()
            .addOption("t", "tea", false, "in chests")
            .addOption("C", true, "in sacks")
            .addOption(Option.builder().longOpt("indigo").hasArg().argName("casks").desc("in casks").since("1.10.2").build())
            .addOption(Option.builder("s").longOpt("spice").deprecated().desc("in jars").since("1.1").build());
    }

    @Test
    void rowsInTheDefaultStyle() {
        assertEquals(" -C <arg>              in sacks\n    --indigo <casks>   in casks\n -s,--spice            in jars\n -t,--tea              in chests", new OptionTable(HelpStyle.builder().get(), new TextWrapper(74, "\n")).render(cargo()));
    }

    @Test
    void rowsInAnotherStyle() {
        HelpStyle style = HelpStyle.builder()
            .setArgName("n").setOptPrefix("*").setLongOptPrefix("**").setLongOptSeparator(":")
            .setLeftPadding(0).setDescPadding(2).setOptionComparator(null).get();
        assertEquals("*t,**tea             in chests\n*C <n>               in sacks\n   **indigo:<casks>  in casks\n*s,**spice           in jars", new OptionTable(style, new TextWrapper(74, "\n")).render(cargo()));
    }

    @Test
    void versionsAreShownOnRequest() {
        HelpStyle style = HelpStyle.builder().setShowSince(true).get();
        assertEquals("Options              Since  Description\n -C <arg>            -        in sacks\n    --indigo <casks> 1.10.2   in casks\n -s,--spice          1.1      in jars\n -t,--tea            -        in chests", new OptionTable(style, new TextWrapper(74, "\n")).render(cargo()));
    }

    @Test
    void deprecatedOptionsAreDescribedByTheStyle() {
        HelpStyle style = HelpStyle.builder().setDeprecatedFormat(o -> " no " + o.getLongOpt() + " any more ").get();
        assertEquals(" -C <arg>              in sacks\n    --indigo <casks>   in casks\n -s,--spice            no spice any more\n -t,--tea              in chests", new OptionTable(style, new TextWrapper(74, "\n")).render(cargo()));
    }

    @Test
    void wrapperFoldsRows() {
        assertEquals(" -C <arg>              in ~                        sacks ~     --indigo <casks>   in ~                        casks ~  -s,--spice            in ~                        jars ~  -t,--tea              in ~                        chest ~                        s", new OptionTable(HelpStyle.builder().get(), new TextWrapper(28, " ~ ")).render(cargo()));
    }

    @Test
    void wrapperFoldsTheTitles() {
        HelpStyle style = HelpStyle.builder().setShowSince(true).setLeftPadding(2).get();
        assertEquals("Options                Since\n                                Desc\n                                ript\n                                ion\n  -C <arg>             -        in\n                                sack\n                                s\n     --indigo <casks>  1.10.2   in\n                                cask\n                                s\n  -s,--spice           1.1      in\n                                jars\n  -t,--tea             -        in\n                                ches\n                                ts", new OptionTable(style, new TextWrapper(36, "\n")).render(cargo()));
    }
}
