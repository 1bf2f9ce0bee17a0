// The tools of the kit as tools of Spring AI.

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.function.Function;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.definition.ToolDefinition;
import org.springframework.ai.tool.execution.ToolExecutionException;

record Tools(JsonNode tool, Function<JsonNode, String> run) implements ToolCallback {
  @Override
  public ToolDefinition getToolDefinition() {
    var named = ToolDefinition.builder().name(tool.get("name").asText()).description(tool.path("description").asText(""));
    return named.inputSchema(tool.get("input_schema").toString()).build();
  }

  /** Reads its arguments, and throws what it throws, as the callback of a method with @Tool does. */
  @Override
  public String call(String arguments) {
    JsonNode given;
    try {
      given = Kit.json.readTree(arguments);
    } catch (IOException error) {
      throw new IllegalStateException("Conversion from JSON failed", error);
    }
    if (given == null || !given.isObject()) throw new IllegalStateException("Conversion from JSON to an object failed: " + arguments);
    try {
      return run.apply(given);
    } catch (RuntimeException thrown) {
      throw new ToolExecutionException(getToolDefinition(), thrown);
    }
  }
}
