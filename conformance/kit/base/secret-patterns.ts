// What keys look like, and how names sound whose values are secrets: for the recorder, for `scan` and for reports.

/** The shape of the keys of a vendor. */
export interface KeyShape {
  /** What it is, as in `an OpenAI key`. */
  kind: string;
  shape: RegExp;
  /** Texts of which at least one stands in every key: where none is, no key is. */
  parts: readonly string[];
  /** How long a whole one is at least. What is shorter, and stands at the end of a text, may go on elsewhere. */
  whole: number;
}

/** Nothing goes before a key that could be a part of it; `_` may. */
const begin = "(?<![A-Za-z0-9])";

function keyOf(kind: string, whole: number, ...shapes: string[]): KeyShape {
  const shape = new RegExp(shapes.map((one) => begin + one).join("|"), "g");
  return { kind, shape, parts: shapes.map(partOf), whole };
}

/** The text with which a shape begins, or the first one in it that is long enough to be rare. */
function partOf(shape: string): string {
  const texts = shape
    .split(/\(\?:[^)]*\)\??|\[[^\]]*\](?:\{[^}]*\}|[*+?])?|\(\?[=!<][^)]*\)/)
    .map((text) => text.replaceAll("\\", ""));
  return texts.find((text) => text.length > 1) ?? "";
}

const word = "[A-Za-z0-9]";
const part = "[A-Za-z0-9_-]";
const hex = "[0-9a-fA-F]";

/**
 * Shapes of keys; each begins with something that stands nowhere else. A shorter beginning follows a longer one.
 * @see https://docs.github.com/en/code-security/secret-scanning/introduction/supported-secret-scanning-patterns
 */
export const keyShapes: readonly KeyShape[] = [
  keyOf("an Anthropic key", 40, `sk-ant-${part}{12,}`),
  keyOf("an OpenRouter key", 40, `sk-or-${part}{12,}`),
  keyOf("an OpenAI key", 35, `sk-${part}{12,}`),
  keyOf("an OpenAI session", 30, `sess-${word}{20,}`),
  keyOf("a Google key", 39, `AIza${part}{20,}`, `AQ\\.Ab8${part}{20,}`),
  keyOf("a Google token", 40, `ya29\\.${part}{20,}`, `1//0${part}{30,}`),
  keyOf("a Google client secret", 35, `GOCSPX-${part}{20,}`),
  keyOf("an xAI key", 40, `xai-${word}{20,}`),
  keyOf("a Groq key", 40, `gsk_${word}{16,}`),
  keyOf("a Perplexity key", 40, `pplx-${word}{20,}`),
  keyOf("a Fireworks key", 27, `fw_${word}{20,}`),
  keyOf("a Replicate key", 40, `r8_${word}{20,}`),
  keyOf("an NVIDIA key", 40, `nvapi-${part}{20,}`),
  keyOf("a Hugging Face token", 37, `hf_${word}{16,}`, `api_org_${word}{20,}`),
  keyOf("a Together key", 40, `tgp_v1_${part}{20,}`),
  keyOf("a Cerebras key", 40, `csk-${word}{20,}`),
  keyOf("a Voyage key", 40, `pa-${part}{40,}`),
  keyOf("a Jina key", 40, `jina_${word}{24,}`),
  keyOf("a Tavily key", 30, `tvly-${part}{20,}`),
  keyOf("a Firecrawl key", 35, `fc-${hex}{32}`),
  keyOf("a Langfuse key", 40, `[ps]k-lf-${hex}{8}-${part}{20,}`),
  keyOf("a LangSmith key", 40, `ls(?:v2|__)${part}{24,}`),
  keyOf("a Pinecone key", 40, `pcsk_${part}{24,}`),
  keyOf("a Baseten or Modal token", 24, `ak-${word}{22}(?!${part})`, `as-${word}{22}(?!${part})`),
  keyOf("an E2B key", 40, `e2b_${hex}{32,}`),
  keyOf("an ElevenLabs key", 48, `sk_${hex}{32,}`),
  keyOf("an ngrok or Clerk key", 30, `sk_(?:test|live)_${word}{16,}`),
  keyOf("a Stripe key", 30, `[rsp]k_(?:live|test)_${word}{16,}`, `whsec_${word}{16,}`),
  keyOf("a SendGrid key", 60, `SG\\.${part}{16,}\\.${part}{20,}`),
  keyOf("a Mailgun key", 36, `key-${hex}{32}`),
  keyOf("a Twilio key", 34, `SK${hex}{32}(?!${word})`, `AC${hex}{32}(?!${word})`),
  keyOf("a DigitalOcean token", 64, `do[opr]_v1_${hex}{32,}`),
  keyOf("a Databricks token", 36, `dapi${hex}{32}`),
  keyOf("a Vercel key", 28, `vck_${word}{24,}`, `vcp_${word}{24,}`, `vc[iar]_${word}{24,}`),
  keyOf("a Cloudflare key", 37, `v1\\.0-${hex}{24}-${hex}{100,}`, `cf(?:at|ut|k)_${part}{30,}`),
  keyOf("a Supabase key", 40, `sbp_${hex}{32,}`, `sb_secret_${part}{20,}`),
  keyOf("a Fly token", 60, `fo1_${part}{30,}`, `fm[12][ra]?_${part}{60,}`),
  keyOf("a Render key", 30, `rnd_${word}{26,}`),
  keyOf("a Heroku key", 50, `HRKU-${part}{36,}`),
  keyOf(
    "a GitHub token",
    40,
    ...["ghp_", "gho_", "ghu_", "ghs_", "ghr_"].map((first) => `${first}${word}{16,}`),
    `github_pat_[A-Za-z0-9_]{16,}`,
  ),
  keyOf("a GitLab token", 26, `gl(?:pat|ptt|dt|rt|cbt|oas|soat|ft)-${part}{16,}`),
  keyOf("a Slack token", 40, "xox[abeoprs]-[A-Za-z0-9-]{10,}", "xapp-[A-Za-z0-9-]{20,}"),
  keyOf("a Slack webhook", 70, "hooks\\.slack\\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}"),
  keyOf("a Discord webhook", 90, "discord(?:app)?\\.com/api/webhooks/[0-9]+/[A-Za-z0-9_-]{20,}"),
  keyOf("a Discord token", 50, `[MNO]${part}{22,27}\\.${part}{6}\\.${part}{24,}`),
  keyOf("a Telegram token", 44, "[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}", "bot[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}"),
  keyOf("an npm token", 40, `npm_${word}{16,}`),
  keyOf("a PyPI token", 60, `pypi-${part}{40,}`),
  keyOf("a RubyGems key", 57, `rubygems_${hex}{48}`),
  keyOf("a crates.io token", 35, `cio${word}{32}`),
  keyOf("a Docker token", 30, `dckr_(?:pat|oat)_${part}{20,}`),
  keyOf("an Atlassian token", 60, "ATATT3[A-Za-z0-9_=-]{30,}", "ATCTT3[A-Za-z0-9_=-]{30,}"),
  keyOf("a Linear key", 40, `lin_(?:api|oauth)_${word}{20,}`),
  keyOf("a Notion token", 40, `ntn_${word}{20,}`, `secret_${word}{40,}`),
  keyOf("a Figma token", 40, `fig[dou]_${part}{20,}`),
  keyOf("an Airtable token", 60, `pat${word}{14}\\.${hex}{40,}`),
  keyOf("a HubSpot token", 40, `pat-(?:na|eu)[0-9]-${hex}{8}-${part}{20,}`),
  keyOf("a Shopify token", 38, `shp(?:at|ca|pa|ss|tka)_${hex}{32}`),
  keyOf("a Square token", 30, `EAAA${part}{50,}`, `sq0[a-z]{3}-${part}{22,}`),
  keyOf("a New Relic key", 32, `NRAK-${word}{20,}`, `NRJS-${hex}{16,}`),
  keyOf("a Sentry token", 60, "sntry[su]_[A-Za-z0-9_=+/-]{30,}"),
  keyOf("a Grafana token", 40, "gl(?:sa|c)_[A-Za-z0-9+/_=]{28,}"),
  keyOf("a PostHog key", 40, `ph[cx]_${word}{30,}`),
  keyOf("a Doppler token", 40, `dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?${part}{24,}`),
  keyOf("a Vault token", 26, `hv[sbr]\\.${part}{20,}`),
  keyOf("a 1Password token", 60, `ops_eyJ${part}{40,}`),
  keyOf("a Tailscale key", 30, `tskey-[a-z]+-${part}{16,}`),
  keyOf("an Azure client secret", 37, `[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,}`),
  keyOf("a Netlify token", 40, `nf[pcou]_${word}{30,}`),
  keyOf("a Neon key", 60, `napi_${word}{40,}`),
  keyOf("a PlanetScale token", 40, `pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_.=-]{32,}`),
  keyOf("a Resend key", 36, `re_${word}{8}_${word}{20,}`),
  keyOf("a Mailchimp key", 36, `${hex}{32}-us[0-9]{1,2}(?!${word})`),
  keyOf("a Brevo key", 80, `xkeysib-${hex}{64}-${word}{16}`),
  keyOf("a Dropbox token", 120, `sl\\.(?:u\\.)?${part}{100,}`),
  keyOf("a Buildkite token", 45, `bkua_${hex}{40}`),
  keyOf("a CircleCI token", 60, `CCI(?:PAT|PRJ)_${word}{22}_${hex}{40}`),
  keyOf("a Pulumi token", 44, `pul-${hex}{40}`),
  keyOf("a SonarQube token", 44, `sq[pua]_${hex}{40}`),
  keyOf("a Weights & Biases key", 60, `wandb_v1_[A-Za-z0-9_]{40,}`),
  keyOf("an Apify token", 40, `apify_api_${word}{30,}`),
  keyOf("a Browserbase key", 30, `bb_(?:live|test)_${part}{20,}`),
  keyOf("a RunPod key", 40, `rpa_[A-Z0-9]{30,}`),
  keyOf("an Anyscale token", 32, `esecret_${word}{20,}`),
  keyOf("a Friendli token", 40, `flp_${word}{36,}`),
  keyOf("a Cartesia key", 28, `sk_car_${word}{20,}`),
  keyOf("a Novita key", 43, `sk_${part}{40,}`),
  keyOf("a Contentful token", 45, `CFPAT-${part}{40,}`),
  keyOf("a Facebook token", 100, `EAA[MC]${word}{100,}`),
  keyOf("a Dynatrace token", 90, `dt0[a-z][0-9]{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}`),
  keyOf("a Postman key", 50, `PMAK-${hex}{24}-${hex}{20,}`),
  keyOf("a Terraform token", 60, `${word}{14}\\.atlasv1\\.${part}{40,}`),
  {
    kind: "a key of Z.ai",
    shape: /(?<![A-Za-z0-9])[0-9a-f]{32}\.[A-Za-z0-9]{16}(?![A-Za-z0-9])/g,
    parts: ["."],
    whole: 49,
  },
  keyOf("an age key", 70, "AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
  keyOf("a JSON web token", 60, `eyJ${part}{8,}\\.eyJ${part}{8,}\\.${part}+`),
  keyOf("an encrypted web token", 80, `eyJ${part}{16,}\\.${part}*\\.${part}{8,}\\.${part}{16,}\\.${part}{8,}`),
  {
    kind: "a private key",
    // What follows may be broken into lines, in JSON with `\n` for a line break.
    shape:
      /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:[A-Za-z0-9+/=\s:,.-]|\\+[nrt])*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|(?=[^A-Za-z0-9+/=\s:,.\\-])|$)/g,
    parts: ["PRIVATE KEY"],
    whole: 150,
  },
  keyOf("an AWS key id", 20, ...["AKIA", "ASIA", "ABIA", "ACCA"].map((first) => `${first}[A-Z0-9]{16}(?!${word})`)),
  keyOf("an AWS Bedrock key", 60, "ABSK[A-Za-z0-9+/=]{40,}"),
];

/** How names end whose values are secrets: of headers, and of variables, fields and options. */
export const headerEnd = "(?:authorization|cookie)";
export const secretEnd =
  "(?:api[-_]?key|access[-_]?(?:key|token)|auth[-_]?token|[-_]token|client[-_]?secret|secret|secret[-_]?key|subscription[-_]?key|private[-_]?key|passw(?:or)?d|passphrase)";

/** Whole names that hold a secret, or the place in a list, a word of a text, the version of a file: its value tells. */
export const weakEnd =
  "(?:token|auth|sig|pwd|(?:auth|account|signing|master|encryption)[-_]?key|shared[-_]?access[-_]?key|key[-_]data)";

/** What stands before a password that no sign precedes: in a file of logins, in an element, after the user of a command line. */
export const loginEnd =
  "\\blogin\\s+\\S{1,100}\\s+password\\s+|<(?:[a-z]{0,20}password|passphrase|secret|token|api[-_]?key)>|\\s(?:-u|--user)[= ][\"']?[^\\s:\"']{1,100}:";

/** Between a name and its value; quotes may be escaped, where JSON stands in a string. */
export const sign = String.raw`(\\*["']?\s*[:=]\s*\\*["']?)`;

/** What is said in the place of a secret: `[redacted]`, or with what it was. */
export const alreadyOut = String.raw`\[redacted(?:: [^\]]*)?\]`;
