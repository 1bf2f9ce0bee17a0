// A call of a tool that does not exist stays in the memory without a result, and the provider refuses the conversation.
// Shows: SESSION-28
// Run it in the folder of the driver: java -cp "target/lib/*" repro/SESSION-28-an-unknown-tool.java

import com.sun.net.httpserver.HttpServer;
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;
import java.net.InetSocketAddress;
import java.util.*;

class Repro {
  interface Chat { String chat(String text); }

  public static class Tools {
    @Tool("Notes something.")
    public String note(String x) { return "noted"; }
  }

  static final String TEXT = """
      {"role":"assistant","content":"ok"}""";
  static final String CALLS = """
      {"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"nope","arguments":"{}"}}]}""";

  static String completion(String message, String reason) {
    return """
        {"id":"c","object":"chat.completion","created":1,"model":"gpt-5","choices":[{"index":0,"message":%s,"finish_reason":"%s"}],
         "usage":{"prompt_tokens":5,"completion_tokens":5,"total_tokens":10}}""".formatted(message, reason);
  }

  public static void main(String[] args) throws Exception {
    Deque<String> answers = new ArrayDeque<>(List.of(completion(CALLS, "tool_calls")));
    List<String> requests = new ArrayList<>();
    HttpServer provider = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    provider.createContext("/", exchange -> {
      requests.add(new String(exchange.getRequestBody().readAllBytes()));
      byte[] body = (answers.isEmpty() ? completion(TEXT, "stop") : answers.poll()).getBytes();
      exchange.getResponseHeaders().add("content-type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    provider.start();
    String url = "http://127.0.0.1:" + provider.getAddress().getPort();
    var model = OpenAiChatModel.builder().baseUrl(url).apiKey("any").modelName("gpt-5").maxRetries(0).build();
    Chat chat = AiServices.builder(Chat.class).chatModel(model).chatMemory(MessageWindowChatMemory.withMaxMessages(100)).tools(new Tools()).build();
    String raised = "nothing";
    try { chat.chat("Go on."); } catch (RuntimeException error) { raised = error.getClass().getSimpleName(); }
    try { chat.chat("And now?"); } catch (RuntimeException error) { raised += ", then " + error.getClass().getSimpleName(); }
    String last = requests.get(requests.size() - 1).replaceAll("\\s+", "");
    boolean isThere = last.contains("\"tool_calls\"") && !last.contains("\"role\":\"tool\"");
    System.out.println("the model called a tool that does not exist; raised: " + raised + "; the request with the next message has the call " + (isThere ? "without" : "with, or without both,") + " its result");
    System.exit(isThere ? 1 : 0);
  }
}
