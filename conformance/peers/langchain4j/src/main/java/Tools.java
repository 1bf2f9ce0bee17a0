// The tools of the kit as tools of langchain4j.

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.exception.ToolArgumentsException;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import java.util.ArrayList;
import java.util.List;

final class Tools {
  private Tools() {}

  /** What the executor of a method with @Tool does. */
  static JsonNode arguments(String written) {
    try {
      return Kit.json.readTree(written == null || written.isBlank() ? "{}" : written);
    } catch (Exception error) {
      throw new ToolArgumentsException(error);
    }
  }

  static ToolSpecification specification(JsonNode tool) {
    var schema = JsonObjectSchema.builder();
    tool.at("/input_schema/properties").fields().forEachRemaining(each -> schema.addProperty(each.getKey(), JsonRawSchema.from(each.getValue().toString())));
    List<String> required = new ArrayList<>();
    tool.at("/input_schema/required").forEach(name -> required.add(name.asText()));
    return ToolSpecification.builder().name(tool.get("name").asText()).description(tool.path("description").asText("")).parameters(schema.required(required).build()).build();
  }
}
