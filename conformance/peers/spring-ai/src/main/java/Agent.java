// An agent of Spring AI, as its documentation says: a ChatClient with a MessageChatMemoryAdvisor. For the scripts in repro/.

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.springframework.ai.anthropic.AnthropicChatModel;
import org.springframework.ai.anthropic.AnthropicChatOptions;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.ChatMemory;
import org.springframework.ai.chat.memory.MessageWindowChatMemory;
import org.springframework.ai.chat.model.ChatModel;
import org.springframework.ai.chat.model.ChatResponse;
import org.springframework.ai.openai.OpenAiChatModel;
import org.springframework.ai.openai.OpenAiChatOptions;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;

public final class Agent {
  record Given(Scene.Tool tool) implements ToolCallback {
    @Override
    public ToolDefinition getToolDefinition() {
      return ToolDefinition.builder().name(tool.name()).description("A tool.").inputSchema(tool.schema().toString()).build();
    }

    @Override
    public String call(String arguments) {
      try {
        JsonNode given = Scene.json.readTree(arguments);
        if (given == null || !given.isObject()) throw new IllegalArgumentException("expected a JSON object, got " + arguments);
        return tool.run().apply(given);
      } catch (java.io.IOException error) {
        throw new IllegalStateException(error);
      }
    }
  }

  private Agent() {}

  public static Scene.Say of(String api, boolean isStreamed, String url, List<Scene.Tool> tools) {
    Object[] given = tools.stream().map(Given::new).toArray();
    var memory = MessageChatMemoryAdvisor.builder(MessageWindowChatMemory.builder().maxMessages(100).build()).build();
    ChatClient client = ChatClient.builder(model(api, url)).defaultAdvisors(memory).build();
    return text -> {
      var asked = client.prompt().user(text).tools(given).advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "one"));
      return told(isStreamed ? asked.stream().chatResponse().collectList().block() : List.of(asked.call().chatResponse()));
    };
  }

  private static ChatModel model(String api, String url) {
    if (api.equals("openai-chat"))
      return OpenAiChatModel.builder().options(OpenAiChatOptions.builder().baseUrl(url).apiKey("any").model("gpt-5").maxRetries(0).build()).build();
    return AnthropicChatModel.builder().options(AnthropicChatOptions.builder().baseUrl(url).apiKey("any").model("claude-sonnet-4-5").maxTokens(4096).maxRetries(0).build()).build();
  }

  private static Map<String, String> told(List<ChatResponse> pieces) {
    StringBuilder text = new StringBuilder();
    String reason = "";
    for (ChatResponse piece : pieces) {
      if (piece.getResult() == null) continue;
      if (piece.getResult().getOutput().getText() != null) text.append(piece.getResult().getOutput().getText());
      String said = piece.getResult().getMetadata().getFinishReason();
      if (said != null && !said.isEmpty()) reason = said;
    }
    return Map.of("text", text.toString(), "stop", reason);
  }
}
