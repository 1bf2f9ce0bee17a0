// A stream of Anthropic that ends before its last events ends with neither an answer nor an error: who waits for it waits for ever.
// Shows: LOOP-18, LOOP-19, SESSION-27, SESSION-28, SESSION-29, SESSION-31, SESSION-6, PROVIDER-22, ANTHROPIC-16
// Run it in the folder of the driver: java -cp "target/lib/*" repro/LOOP-18-a-lost-stream-never-ends.java

import com.sun.net.httpserver.HttpServer;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.TokenStream;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

class Repro {
  interface Chat { TokenStream chat(String text); }

  static final String HALF = """
      event: message_start
      data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"claude-sonnet-4-5","content":[],"stop_reason":null,"usage":{"input_tokens":5,"output_tokens":1}}}

      event: content_block_start
      data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

      event: content_block_delta
      data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Half of an"}}

      """;

  public static void main(String[] args) throws Exception {
    HttpServer provider = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    provider.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      exchange.getResponseHeaders().add("content-type", "text/event-stream");
      exchange.sendResponseHeaders(200, HALF.getBytes().length);
      exchange.getResponseBody().write(HALF.getBytes());
      exchange.close();
    });
    provider.start();
    String url = "http://127.0.0.1:" + provider.getAddress().getPort() + "/v1";
    var model = AnthropicStreamingChatModel.builder().baseUrl(url).apiKey("any").modelName("claude-sonnet-4-5").build();
    Chat chat = AiServices.builder(Chat.class).streamingChatModel(model).build();
    var ended = new CompletableFuture<String>();
    chat.chat("Go on.").onPartialResponse(part -> {}).onCompleteResponse(whole -> ended.complete("completed: " + whole.aiMessage().text()))
        .onError(error -> ended.complete("told of an error: " + error.getClass().getSimpleName())).start();
    String how;
    try { how = ended.get(15, TimeUnit.SECONDS); } catch (TimeoutException none) { how = "told nothing in 15 seconds"; }
    System.out.println("the stream ended before its answer did, and the caller was " + how);
    System.exit(how.startsWith("told of") ? 0 : 1);
  }
}
