package binnacle;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the line that a ready server prints: a JSON object whose members are texts and integers. */
final class ReadyLine {
  private static final Pattern MEMBER =
      Pattern.compile("\"(\\w+)\":(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|(\\d+))[,}]");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");

  private ReadyLine() {}

  static Map<String, String> parse(String line) {
    Map<String, String> members = new HashMap<>();
    Matcher matcher = MEMBER.matcher(line);
    while (matcher.find())
      members.put(
          matcher.group(1),
          matcher.group(2) == null ? matcher.group(3) : unescape(matcher.group(2)));
    return members;
  }

  private static String unescape(String text) {
    return ESCAPE
        .matcher(text)
        .replaceAll(match -> Matcher.quoteReplacement(character(match.group(1), match.group(2))));
  }

  private static String character(String code, String letter) {
    if (code != null) return String.valueOf((char) Integer.parseInt(code, 16));
    int index = "bfnrt".indexOf(letter);
    return index < 0 ? letter : "\b\f\n\r\t".substring(index, index + 1);
  }
}
