package helpchecks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.commons.cli.HelpFormatter;
import org.apache.commons.cli.HelpStyle;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.OptionOrder;
import org.junit.jupiter.api.Test;

class GainStyleTest {

    private static String told(HelpStyle style) {
        return style.getArgName() + "," + style.getOptPrefix() + "," + style.getLongOptPrefix() + "," + style.getLongOptSeparator() + ","
            + style.getLeftPadding() + "," + style.getDescPadding() + "," + style.isShowSince() + ","
            + (style.getDeprecatedFormat() == null ? "none" : style.getDeprecatedFormat().apply(new Option("k", "kelp")));
    }

    private static HelpStyle.Builder filled() {
        return HelpStyle.builder().setArgName("depth").setOptPrefix("!").setLongOptPrefix("!!").setLongOptSeparator("@")
            .setLeftPadding(7).setDescPadding(9).setShowSince(true).setDeprecatedFormat(o -> "old " + o.getDescription());
    }

    @Test
    void defaultsAreTheFormatters() {
        assertEquals("arg,-,--, ,1,3,false,none", told(HelpStyle.builder().get()));
        assertEquals("OptionOrder", HelpStyle.builder().get().getOptionComparator().getClass().getSimpleName());
    }

    @Test
    void settersSet() {
        assertEquals("depth,!,!!,@,7,9,true,old kelp", told(filled().get()));
    }

    @Test
    void styleStaysWhenItsBuilderIsUsedOn() {
        HelpStyle.Builder builder = filled();
        HelpStyle first = builder.get();
        HelpStyle second = builder.setArgName("breadth").setLeftPadding(1).get();
        assertEquals("depth,!,!!,@,7,9,true,old kelp", told(first));
        assertEquals("breadth,!,!!,@,1,9,true,old kelp", told(second));
    }

    @Test
    void builderOfAStyleHasItsSettings() {
        HelpStyle style = filled().setOptionComparator(null).get();
        HelpStyle other = style.toBuilder().setDescPadding(4).get();
        assertEquals("depth,!,!!,@,7,4,true,old kelp", told(other));
        assertEquals("depth,!,!!,@,7,9,true,old kelp", told(style));
        assertEquals("order: null", "order: " + other.getOptionComparator());
    }

    @Test
    void formatterTellsItsStyle() {
        HelpFormatter formatter = HelpFormatter.builder().setShowSince(true).setShowDeprecated(true).get();
        formatter.setArgName("league");
        formatter.setOptPrefix("#");
        formatter.setLongOptPrefix("##");
        formatter.setLongOptSeparator("->");
        formatter.setLeftPadding(6);
        formatter.setDescPadding(8);
        assertEquals("league,#,##,->,6,8,true,[Deprecated] kelp", told(formatter.getStyle()));
        assertEquals("arg,-,--, ,1,3,false,none", told(new HelpFormatter().getStyle()));
    }

    @Test
    void styleIsThatOfTheMoment() {
        HelpFormatter formatter = new HelpFormatter();
        HelpStyle before = formatter.getStyle();
        formatter.setArgName("later");
        formatter.defaultLeftPad = 5;
        assertEquals("arg,-,--, ,1,3,false,none", told(before));
        assertEquals("later,-,--, ,5,3,false,none", told(formatter.getStyle()));
    }

    @Test
    void styleHasTheFormattersOrder() {
        HelpFormatter formatter = new HelpFormatter();
        formatter.setOptionComparator(new OptionOrder().reversed());
        assertEquals(1, Integer.signum(formatter.getStyle().getOptionComparator().compare(new Option("a", ""), new Option("b", ""))));
        assertEquals("OptionOrder", new HelpFormatter().getStyle().getOptionComparator().getClass().getSimpleName());
    }

    @Test
    void styleAsksTheSubclass() {
        HelpFormatter formatter = new HelpFormatter() {
            @Override
            public String getArgName() {
                return "sub-" + super.getArgName();
            }

            @Override
            public int getDescPadding() {
                return 12;
            }
        };
        assertEquals("sub-arg,-,--, ,1,12,false,none", told(formatter.getStyle()));
    }
}
