// What keys look like; each begins with something that stands nowhere else.

/**
 * Shapes of keys by what they are.
 * @see https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 */
export const keyShapes: readonly (readonly [kind: string, shape: RegExp])[] = [
  ["an Anthropic key", /\bsk-ant-[A-Za-z0-9_-]{12,}/g],
  ["an OpenRouter key", /\bsk-or-[A-Za-z0-9_-]{12,}/g],
  ["an OpenAI key", /\bsk-[A-Za-z0-9_-]{12,}/g],
  ["a Google key", /\bAIza[A-Za-z0-9_-]{20,}/g],
  ["an xAI key", /\bxai-[A-Za-z0-9]{20,}/g],
  ["a Groq key", /\bgsk_[A-Za-z0-9]{16,}/g],
  ["a Perplexity key", /\bpplx-[A-Za-z0-9]{20,}/g],
  ["a Fireworks key", /\bfw_[A-Za-z0-9]{20,}/g],
  ["a Replicate key", /\br8_[A-Za-z0-9]{20,}/g],
  ["an NVIDIA key", /\bnvapi-[A-Za-z0-9_-]{20,}/g],
  ["a Hugging Face token", /\bhf_[A-Za-z0-9]{16,}/g],
  ["a GitHub token", /\bgh[opusr]_[A-Za-z0-9]{16,}|\bgithub_pat_[A-Za-z0-9_]{16,}/g],
  ["a GitLab token", /\bglpat-[A-Za-z0-9_-]{16,}/g],
  ["a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ["an npm token", /\bnpm_[A-Za-z0-9]{16,}/g],
  ["a JSON web token", /\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+/g],
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g],
  ["an AWS key id", /\bA[KS]IA[A-Z0-9]{16}\b/g],
];
