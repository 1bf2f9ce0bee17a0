// Spring AI for the conformance kit: a ChatClient over its own models, the conversation kept by a MessageChatMemoryAdvisor.

import com.fasterxml.jackson.databind.JsonNode;
import java.util.*;
import org.springframework.ai.anthropic.*;
import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.advisor.MessageChatMemoryAdvisor;
import org.springframework.ai.chat.memory.*;
import org.springframework.ai.chat.model.*;
import org.springframework.ai.openai.*;
import org.springframework.ai.tool.ToolCallback;

public final class Driver {
  static Kit.Say begin(JsonNode params) {
    String[] run = {""};
    JsonNode model = params.get("model");
    List<ToolCallback> tools = new ArrayList<>();
    for (JsonNode tool : params.get("tools")) tools.add(new Tools(tool, input -> Kit.execute(run[0], tool.get("name").asText(), input)));
    var memory = MessageChatMemoryAdvisor.builder(MessageWindowChatMemory.builder().maxMessages(10_000).build()).build();
    var builder = ChatClient.builder(modelOf(model)).defaultAdvisors(memory);
    if (params.has("instructions")) builder.defaultSystem(params.get("instructions").asText());
    ChatClient client = builder.build();
    return (id, text) -> {
      run[0] = id;
      var asked = client.prompt().user(user -> user.text("{said}").param("said", text)).tools(tools.toArray()).advisors(a -> a.param(ChatMemory.CONVERSATION_ID, "one"));
      boolean isStreamed = model.get("transport").asText().equals("sse");
      return ended(isStreamed ? asked.stream().chatResponse().collectList().block() : Collections.singletonList(asked.call().chatResponse()));
    };
  }

  static ChatModel modelOf(JsonNode model) {
    String url = model.get("base_url").asText(), key = model.get("api_key").asText(), name = model.get("model").asText();
    if (model.get("seam").asText().equals("openai-chat"))
      return OpenAiChatModel.builder().options(OpenAiChatOptions.builder().baseUrl(url).apiKey(key).model(name).maxRetries(0).build()).build();
    return AnthropicChatModel.builder().options(AnthropicChatOptions.builder().baseUrl(url).apiKey(key).model(name).maxTokens(4096).maxRetries(0).build()).build();
  }

  static Map<String, String> ended(List<ChatResponse> pieces) {
    String text = "", reason = "";
    for (ChatResponse piece : pieces) {
      if (piece == null || piece.getResult() == null) continue;
      text += Objects.requireNonNullElse(piece.getResult().getOutput().getText(), "");
      String said = Objects.requireNonNullElse(piece.getResult().getMetadata().getFinishReason(), "");
      reason = said.isEmpty() ? reason : said.toLowerCase(Locale.ROOT);
    }
    Map<String, String> words = Map.of("length", "cut_off", "max_tokens", "cut_off", "content_filter", "refused", "refusal", "refused");
    return Map.of("ended", words.getOrDefault(reason, "completed"), "text", text);
  }

  public static void main(String[] args) throws Exception {
    Kit.serve("""
        {"protocol":1,"implementation":{"name":"spring-ai","version":"2.0.1","language":"java"},"level":"wire",
         "seams":["anthropic-messages","openai-chat"],"transports":["json","sse"],"verbs":["after"],
         "models":{"anthropic-messages":"claude-sonnet-4-5","openai-chat":"gpt-5"}}""", Driver::begin);
  }
}
