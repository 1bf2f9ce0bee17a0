// langchain4j for the conformance kit: AiServices over its own models, which keep the conversation in a ChatMemory.

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.anthropic.*;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.*;
import dev.langchain4j.service.*;
import dev.langchain4j.service.tool.ToolExecutor;
import java.util.*;
import java.util.concurrent.CompletableFuture;

public final class Driver {
  interface Chat {
    Result<String> chat(@UserMessage String text);
    TokenStream stream(@UserMessage String text);
  }

  static Kit.Say begin(JsonNode params) {
    String[] run = {""};
    JsonNode model = params.get("model");
    Map<ToolSpecification, ToolExecutor> tools = new LinkedHashMap<>();
    for (JsonNode tool : params.get("tools"))
      tools.put(Tools.specification(tool), (call, memory) -> Kit.execute(run[0], call.name(), Tools.arguments(call.arguments())));
    var builder = AiServices.builder(Chat.class).chatMemory(MessageWindowChatMemory.withMaxMessages(10_000));
    String url = model.get("base_url").asText(), key = model.get("api_key").asText(), name = model.get("model").asText();
    if (model.get("seam").asText().equals("openai-chat")) {
      builder.chatModel(OpenAiChatModel.builder().baseUrl(url).apiKey(key).modelName(name).maxRetries(0).build());
      builder.streamingChatModel(OpenAiStreamingChatModel.builder().baseUrl(url).apiKey(key).modelName(name).build());
    } else {
      String v1 = url + "/v1";
      builder.chatModel(AnthropicChatModel.builder().baseUrl(v1).apiKey(key).modelName(name).maxRetries(0).returnThinking(true).build());
      builder.streamingChatModel(AnthropicStreamingChatModel.builder().baseUrl(v1).apiKey(key).modelName(name).returnThinking(true).build());
    }
    if (!tools.isEmpty()) builder.tools(tools);
    if (params.has("instructions")) builder.systemMessageProvider(id -> params.get("instructions").asText());
    Chat chat = builder.build();
    return (id, text) -> {
      run[0] = id;
      if (model.get("transport").asText().equals("json")) return ended(chat.chat(text).finalResponse());
      var done = new CompletableFuture<ChatResponse>();
      chat.stream(text).onPartialResponse(part -> {}).onCompleteResponse(done::complete).onError(done::completeExceptionally).start();
      return ended(done.get());
    };
  }

  static Map<String, String> ended(ChatResponse last) {
    String reason = String.valueOf(last.finishReason()), text = last.aiMessage().text();
    String ended = Map.of("LENGTH", "cut_off", "CONTENT_FILTER", "refused").getOrDefault(reason, "completed");
    return Map.of("ended", ended, "text", text == null ? "" : text);
  }

  public static void main(String[] args) throws Exception {
    Kit.serve("""
        {"protocol":1,"implementation":{"name":"langchain4j","version":"1.19.0","language":"java"},"level":"wire",
         "seams":["anthropic-messages","openai-chat"],"transports":["json","sse"],"verbs":["after"],
         "models":{"anthropic-messages":"claude-sonnet-4-5","openai-chat":"gpt-5"}}""", Driver::begin);
  }
}
