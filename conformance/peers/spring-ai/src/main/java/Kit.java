// The kit's end of the conversation for a driver in Java: JSON-RPC in lines over stdin and stdout, one run at a time.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

final class Kit {
  static final ObjectMapper json = new ObjectMapper();
  private static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
  private static final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
  private static int asked = 0;
  private static volatile boolean isRunning = false;

  /** The kit answered with an error: the tool throws. */
  static final class ToolThrew extends RuntimeException {
    ToolThrew(String message) {
      super(message);
    }
  }

  /** What says something to a conversation. It throws what the framework throws. */
  interface Say {
    Map<String, String> say(String run, String text) throws Throwable;
  }

  private Kit() {}

  /** Has the kit execute a tool. Returns what the tool says; throws if it throws, or says that it failed. */
  static synchronized String execute(String run, String name, JsonNode input) {
    ObjectNode params = json.createObjectNode().put("run", run);
    params.putObject("call").put("name", name).set("input", input);
    send(json.createObjectNode().put("id", "d" + ++asked).put("method", "tool/execute").set("params", params));
    if (!isRunning) throw new ToolThrew("the run is over"); // the kit has seen it, and its answer is read as any other line
    JsonNode answer = receive(); // to a driver that plays one run at a time, the next line is the answer
    if (answer == null) throw new ToolThrew("the kit has closed its end");
    if (answer.has("error")) throw new ToolThrew(answer.at("/error/message").asText());
    JsonNode result = answer.get("result");
    JsonNode said = result.has("output") ? result.get("output") : result.path("data");
    String text = said.isTextual() ? said.asText() : said.toString();
    if (result.path("is_error").asBoolean()) throw new ToolThrew(text);
    return text;
  }

  /** Serves the kit until it closes its end. `begin` makes the framework's agent for a conversation. */
  static void serve(String initialize, Function<JsonNode, Say> begin) throws IOException {
    System.setOut(System.err); // nothing but messages may stand on stdout
    Map<String, Say> conversations = new HashMap<>();
    for (JsonNode request; (request = receive()) != null; ) {
      if (!request.has("id") || !request.has("method")) continue;
      JsonNode params = request.get("params");
      ObjectNode answer = json.createObjectNode();
      answer.set("id", request.get("id"));
      switch (request.get("method").asText()) {
        case "initialize" -> answer.set("result", json.readTree(initialize));
        case "run" -> answer.set("result", json.valueToTree(run(params, conversations, begin)));
        case "shutdown" -> answer.putObject("result");
        default -> answer.putObject("error").put("code", -32601).put("message", "no method " + request.get("method"));
      }
      send(answer);
    }
    System.exit(0);
  }

  private static Map<String, String> run(JsonNode params, Map<String, Say> conversations, Function<JsonNode, Say> begin) {
    String run = params.get("run").asText();
    Say say = params.has("after") ? conversations.get(params.get("after").asText()) : begin.apply(params);
    conversations.put(run, say);
    isRunning = true;
    try {
      return say.say(run, params.get("input").asText());
    } catch (Throwable thrown) {
      return Map.of("ended", "error", "error", thrown.toString());
    } finally {
      isRunning = false;
    }
  }

  private static JsonNode receive() {
    try {
      String line = in.readLine();
      return line == null ? null : json.readTree(line);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static void send(JsonNode message) {
    out.println(((ObjectNode) message).put("jsonrpc", "2.0"));
  }
}
