// OpenTelemetry's names of providers. Generated from the folders of the providers by `npm run generate`. Do not edit.

/** The conventions' names of providers. Any other name is used unchanged. */
export const providerNames: Readonly<Record<string, string>> = {
  "anthropic-messages": "anthropic",
  gemini: "gcp.gemini",
  "openai-chat": "openai",
  "openai-responses": "openai",
};
