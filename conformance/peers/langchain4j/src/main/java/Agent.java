// An agent of langchain4j, as its documentation says: AiServices with a ChatMemory. For the scripts in repro/.

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.service.AiServices;
import dev.langchain4j.service.Result;
import dev.langchain4j.service.TokenStream;
import dev.langchain4j.service.UserMessage;
import dev.langchain4j.service.tool.ToolExecutor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

public final class Agent {
  interface Chat {
    Result<String> chat(@UserMessage String text);

    TokenStream stream(@UserMessage String text);
  }

  private Agent() {}

  public static Scene.Say of(String api, boolean isStreamed, String url, List<Scene.Tool> tools) {
    var builder = AiServices.builder(Chat.class).chatMemory(MessageWindowChatMemory.withMaxMessages(100));
    if (api.equals("openai-chat")) {
      builder.chatModel(OpenAiChatModel.builder().baseUrl(url).apiKey("any").modelName("gpt-5").maxRetries(0).build());
      builder.streamingChatModel(OpenAiStreamingChatModel.builder().baseUrl(url).apiKey("any").modelName("gpt-5").build());
    } else {
      String name = "claude-sonnet-4-5";
      builder.chatModel(AnthropicChatModel.builder().baseUrl(url + "/v1").apiKey("any").modelName(name).maxRetries(0).returnThinking(true).build());
      builder.streamingChatModel(AnthropicStreamingChatModel.builder().baseUrl(url + "/v1").apiKey("any").modelName(name).returnThinking(true).build());
    }
    Map<ToolSpecification, ToolExecutor> given = new LinkedHashMap<>();
    for (Scene.Tool tool : tools) given.put(specification(tool), (call, memory) -> tool.run().apply(arguments(call.arguments())));
    if (!given.isEmpty()) builder.tools(given);
    Chat chat = builder.build();
    return text -> {
      if (!isStreamed) return told(chat.chat(text).finalResponse());
      var done = new CompletableFuture<ChatResponse>();
      chat.stream(text).onPartialResponse(part -> {}).onCompleteResponse(done::complete).onError(done::completeExceptionally).start();
      return told(done.get());
    };
  }

  private static Map<String, String> told(ChatResponse last) {
    return Map.of("text", String.valueOf(last.aiMessage().text()), "stop", String.valueOf(last.finishReason()));
  }

  /** What the executor of a method with @Tool does. */
  private static JsonNode arguments(String written) {
    try {
      return Scene.json.readTree(written == null || written.isBlank() ? "{}" : written);
    } catch (Exception error) {
      throw new ToolArgumentsException(error);
    }
  }

  private static ToolSpecification specification(Scene.Tool tool) {
    var schema = JsonObjectSchema.builder();
    tool.schema().path("properties").fields().forEachRemaining(each -> schema.addProperty(each.getKey(), JsonRawSchema.from(each.getValue().toString())));
    List<String> required = new ArrayList<>();
    tool.schema().path("required").forEach(name -> required.add(name.asText()));
    return ToolSpecification.builder().name(tool.name()).description("A tool.").parameters(schema.required(required).build()).build();
  }
}
