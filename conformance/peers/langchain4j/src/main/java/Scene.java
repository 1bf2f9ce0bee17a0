// A scene for the scripts in repro/, without kit and driver: a provider that gives crafted answers, an agent, and how a bug shows.

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

public final class Scene {
  public static final ObjectMapper json = new ObjectMapper();

  /** A tool for the model: it gives a text, or throws. */
  public record Tool(String name, JsonNode schema, Function<JsonNode, String> run) {}

  /** Says something to a conversation: the text of the answer, and why it ended. */
  public interface Say {
    Map<String, String> say(String text) throws Throwable;
  }

  /** Makes an agent of the framework, as its documentation says. */
  public interface Maker {
    Say of(String api, boolean isStreamed, String url, List<Tool> tools);
  }

  /** What happened: the bodies of the requests, what was executed, and how each run ended for its caller. */
  public final List<JsonNode> requests = new CopyOnWriteArrayList<>();
  public final List<String> executed = new CopyOnWriteArrayList<>();
  public final List<String> endings = new ArrayList<>();

  private final String api;
  private final boolean isStreamed;
  private final List<String> answers = new ArrayList<>();
  private final List<Tool> tools = new ArrayList<>();
  private final PrintStream out = System.out;

  public Scene(String api, boolean isStreamed) {
    this.api = api;
    this.isStreamed = isStreamed;
  }

  /** The next answer of the model, byte for byte: a body in JSON, or a stream; with a number in front it is the status. */
  public Scene answer(String body) {
    answers.add(body);
    return this;
  }

  /** A tool that says this; with an exclamation mark it throws. */
  public Scene tool(String name, String schema, String output) throws IOException {
    tools.add(new Tool(name, json.readTree(schema), input -> {
      executed.add(name + " " + input);
      if (output.startsWith("!")) throw new RuntimeException(output.substring(1));
      return output;
    }));
    return this;
  }

  /** Plays: one message after another. What frameworks print is not shown. */
  public Scene play(Maker maker, String... texts) throws Exception {
    System.setOut(System.err);
    HttpServer provider = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    provider.setExecutor(Executors.newCachedThreadPool(task -> daemon(task)));
    provider.createContext("/", this::respond);
    provider.start();
    Say say = maker.of(api, isStreamed, "http://127.0.0.1:" + provider.getAddress().getPort(), tools);
    for (String text : texts) endings.add(ending(say, text));
    return this;
  }

  /** Says in one line what happened, and exits with 1 if the bug is there. */
  public void verdict(String bug) {
    out.println(bug == null ? "not seen: executed " + executed + ", told " + endings : bug);
    out.flush();
    Runtime.getRuntime().halt(bug == null ? 0 : 1);
  }

  /** A tool was executed, which nobody may. */
  public String isExecuted(String why) {
    return executed.isEmpty() ? null : "EXECUTED " + executed + ", " + why + "; the caller was told " + endings;
  }

  /** The caller is not told that there is no whole answer. */
  public String isUntold(String what) {
    boolean told = endings.get(0).matches("(?is).*(error|exception|length|filter|refus|limit|cut).*");
    return told ? null : what + ", and the caller was told " + endings.get(0) + " after " + requests.size() + " request(s)";
  }

  /** The provider refuses the last request, or there is none with the last words of the user. */
  public String isRefused(String words) {
    if (!last().contains(words)) return "the next message was not sent; the caller was told " + endings;
    String why = api.equals("openai-chat") ? refusedByChat() : refusedByMessages();
    return why == null ? null : "executed " + executed + "; the provider refuses the next request: " + why;
  }

  /** The last request lacks something. */
  public String lacks(String... words) {
    int at = 0;
    for (String word : words) {
      at = last().indexOf(word, at) + 1;
      if (at == 0) return "executed " + executed + "; told " + endings + "; " + word + " is not in the last request: " + last();
    }
    return null;
  }

  /** The last request has something that the provider refuses. */
  public String has(String words) {
    return requests.size() > 1 && last().contains(words) ? words + " goes back, and the provider refuses it" : null;
  }

  /** The tools were not executed as the model asked for. */
  public String isNotExecutedAs(String... calls) {
    return new HashSet<>(executed).equals(Set.of(calls)) && executed.size() == calls.length ? null
        : "the model asked for " + List.of(calls) + ", executed " + executed + "; the caller was told " + endings;
  }

  /** The conversation of the last request. */
  public String last() {
    return requests.isEmpty() ? "" : requests.get(requests.size() - 1).get("messages").toString();
  }

  private String ending(Say say, String text) throws Exception {
    var task = new FutureTask<>(() -> {
      try {
        return say.say(text).toString();
      } catch (Throwable error) {
        return "error " + error;
      }
    });
    daemon(task).start();
    try {
      return task.get(30, TimeUnit.SECONDS);
    } catch (TimeoutException none) {
      return "nothing in 30 seconds";
    }
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    return thread;
  }

  private synchronized void respond(HttpExchange exchange) throws IOException {
    requests.add(json.readTree(exchange.getRequestBody().readAllBytes()));
    String next = answers.isEmpty() ? fine() : answers.remove(0);
    boolean hasStatus = next.matches("(?s)\\d{3} .*");
    byte[] body = (hasStatus ? next.substring(4) : next).getBytes(StandardCharsets.UTF_8);
    boolean isBody = new String(body, StandardCharsets.UTF_8).startsWith("{");
    exchange.getResponseHeaders().add("content-type", isBody ? "application/json" : "text/event-stream");
    exchange.sendResponseHeaders(hasStatus ? Integer.parseInt(next.substring(0, 3)) : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private String fine() {
    return api.equals("openai-chat") ? isStreamed ? CHAT_SSE : CHAT : isStreamed ? MESSAGES_SSE : MESSAGES;
  }

  private String refusedByChat() {
    Set<String> open = new HashSet<>();
    for (JsonNode message : requests.get(requests.size() - 1).get("messages")) {
      if (message.path("role").asText().equals("tool") && open.remove(message.path("tool_call_id").asText())) continue;
      if (!open.isEmpty()) return "no result of " + open;
      for (JsonNode call : message.path("tool_calls")) if (!open.add(call.path("id").asText())) return "the id " + call.get("id") + " stands twice";
    }
    return open.isEmpty() ? null : "no result of " + open;
  }

  private String refusedByMessages() {
    Set<String> open = new HashSet<>(), seen = new HashSet<>();
    for (JsonNode message : requests.get(requests.size() - 1).get("messages")) {
      JsonNode content = message.get("content");
      for (JsonNode block : content) open.remove(block.path("tool_use_id").asText());
      if (!open.isEmpty()) return "no result of " + open;
      for (JsonNode block : content) {
        if (block.path("type").asText().equals("text") && block.path("text").asText().isBlank()) return "an empty text";
        if (!block.path("type").asText().equals("tool_use")) continue;
        open.add(block.get("id").asText());
        if (!seen.add(block.get("id").asText())) return "the id " + block.get("id") + " stands twice";
      }
      String type = content.isArray() && content.size() > 0 ? content.get(content.size() - 1).path("type").asText() : "text";
      boolean isEmpty = content.isArray() && content.size() == 0 || content.isTextual() && content.asText().isBlank();
      if (isEmpty || message.path("role").asText().equals("assistant") && type.equals("thinking")) return "a message that is empty, or ends with thinking";
    }
    return open.isEmpty() ? null : "no result of " + open;
  }

  private static final String CHAT = """
      {"id":"c","object":"chat.completion","created":1,"model":"gpt-5","choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":5,"total_tokens":10}}""";
  private static final String CHAT_SSE = """
      data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"gpt-5","choices":[{"index":0,"delta":{"role":"assistant","content":"ok"},"finish_reason":null}]}

      data: {"id":"c","object":"chat.completion.chunk","created":1,"model":"gpt-5","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

      data: [DONE]

      """;
  private static final String MESSAGES = """
      {"id":"m","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[{"type":"text","text":"ok"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":5}}""";
  private static final String MESSAGES_SSE = """
      event: message_start
      data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":5,"output_tokens":1}}}

      event: content_block_start
      data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

      event: content_block_delta
      data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ok"}}

      event: content_block_stop
      data: {"type":"content_block_stop","index":0}

      event: message_delta
      data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":5}}

      event: message_stop
      data: {"type":"message_stop"}

      """;
}
