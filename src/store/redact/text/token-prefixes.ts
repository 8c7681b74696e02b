/** Prefixes of tokens that can be recognised by themselves, and patterns for the rest, compiled when needed. */
export const TOKEN_PREFIXES: readonly (readonly [begins: string, goesOn: string])[] = [
  ['sbapproval_', '[\\w.-]{8,8100}'], // an approval of our own orchestrator
  ['AKIA ASIA ABIA ACCA AIDA AROA', '[A-Z0-9]{16}(?![A-Za-z0-9])'], // AWS
  ['ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9]{20,255}'], // GitHub
  ['github_pat_', '\\w{20,255}'],
  [
    'glpat- gldt- glrt- glptt- glft- glsoat- glcbt- glimt- glagent- gloas- glffct-', // GitLab
    '[\\w.-]{16,255}',
  ],
  ['GR1348941', '[\\w-]{20,60}'],
  ['npm_', '[A-Za-z0-9]{36}'],
  ['pypi-', '[\\w-]{50,500}'],
  ['rubygems_', '[a-f0-9]{48}'],
  ['oy2', '[a-z0-9]{43}(?![A-Za-z0-9])'], // NuGet
  ['cio', '[A-Za-z0-9]{32}(?![A-Za-z0-9])'], // crates.io
  ['xoxa- xoxb- xoxc- xoxd- xoxe- xoxo- xoxp- xoxr- xoxs- xoxe.xoxb- xoxe.xoxp-', '[A-Za-z0-9-]{10,255}'], // Slack
  ['xapp-', '\\d-[A-Za-z0-9-]{10,255}'],
  ['sk_live_ sk_test_ rk_live_ rk_test_', '[A-Za-z0-9]{10,255}'], // Stripe
  ['whsec_', '[A-Za-z0-9+/=]{20,100}'],
  ['sk-ant- sk-proj- sk-svcacct- sk-admin- sk-or- sk-lf-', '[\\w-]{20,255}'], // Anthropic, OpenAI, OpenRouter, Langfuse
  ['sk-', '[A-Za-z0-9]{20,255}'],
  ['sk_', '[a-f0-9]{40,64}(?![A-Za-z0-9])'], // ElevenLabs
  ['gsk_', '[A-Za-z0-9]{40,60}'], // Groq
  ['xai-', '[A-Za-z0-9]{60,100}'],
  ['pplx-', '[A-Za-z0-9]{40,60}'], // Perplexity
  ['lsv2_pt_ lsv2_sk_', '[a-f0-9]{32}_[a-f0-9]{10}'], // LangSmith
  ['pcsk_', '\\w{40,100}'], // Pinecone
  ['r8_', '[A-Za-z0-9]{37}'], // Replicate
  ['AIza', '[\\w-]{35}'], // Google
  ['ya29.', '[\\w-]{20,500}'],
  ['1//0', '[\\w-]{30,200}'],
  ['GOCSPX-', '[\\w-]{20,100}'],
  ['eyJ', '[\\w-]{16,}(?:\\.[\\w-]+){0,4}'], // JWT, and other JSON in base64
  ['hf_', '[A-Za-z0-9]{30,100}'], // Hugging Face
  ['dckr_pat_ dckr_oat_', '[\\w-]{20,100}'], // Docker
  ['dop_v1_ doo_v1_ dor_v1_', '[a-f0-9]{64}'], // DigitalOcean
  ['shpat_ shpca_ shppa_ shpss_', '[a-fA-F0-9]{32}'], // Shopify
  ['SG.', '[\\w-]{16,64}\\.[\\w-]{16,64}'], // SendGrid
  ['xkeysib-', '[a-f0-9]{64}-[A-Za-z0-9]{16}'], // Brevo
  ['re_', '[A-Za-z0-9]{8}_[A-Za-z0-9]{20,40}'], // Resend
  ['key-', '[a-f0-9]{32}(?![A-Za-z0-9])'], // Mailgun
  ['SK', '[a-f0-9]{32}(?![A-Za-z0-9])'], // Twilio
  ['lin_api_', '[A-Za-z0-9]{30,60}'], // Linear
  ['ntn_', '[A-Za-z0-9]{40,60}'], // Notion
  ['secret_', '[A-Za-z0-9]{43}(?![A-Za-z0-9])'],
  ['hvs. hvb. hvr.', '[\\w-]{20,300}'], // Vault
  ['tskey-', '[a-z]{1,20}-[\\w-]{10,100}'], // Tailscale
  ['glsa_ glc_', '[\\w+/=]{32,300}'], // Grafana
  ['ATATT3 ATCTT3 ATBB', '[\\w=-]{28,300}'], // Atlassian
  ['AGE-SECRET-KEY-1', '[A-Z0-9]{50,70}'],
  ['dapi', '[a-f0-9]{32}'], // Databricks
  ['HRKU-', '[\\w-]{36,80}'], // Heroku
  ['sbp_ sb_secret_', '[\\w-]{30,80}'], // Supabase
  ['pscale_tkn_ pscale_pw_ pscale_oauth_', '[\\w.=-]{30,80}'], // PlanetScale
  ['PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'], // Postman
  ['NRAK-', '[A-Z0-9]{27}'], // New Relic
  ['dt0c01. dt0s01. dt0s02. dt0s08.', '[A-Z0-9]{24}\\.[A-Z0-9]{64}'], // Dynatrace
  ['figd_', '[\\w-]{30,60}'], // Figma
  ['pat', '[A-Za-z0-9]{14}\\.[a-f0-9]{64}'], // Airtable
  ['dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.', '(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'], // Doppler
  ['pat-na1- pat-na2- pat-eu1-', '[a-f0-9-]{36}'], // HubSpot
  ['pul-', '[a-f0-9]{40}'], // Pulumi
  ['sntrys_ sntryu_', '[\\w+/=-]{40,300}'], // Sentry
  ['sq0atp- sq0csp- sq0idp-', '[\\w-]{22,60}'], // Square
  ['EAA', '[A-Za-z0-9]{60,400}'], // Facebook
  ['AKC', '[A-Za-z0-9]{50,100}'], // Artifactory
  ['bkua_ bkpt_', '[a-f0-9]{40}'], // Buildkite
  ['CCIPAT_ CCIPRJ_', '[A-Za-z0-9]{20,30}_[a-f0-9]{40}'], // CircleCI
  ['sqp_ squ_ sqa_', '[a-f0-9]{40}'], // SonarQube
  ['nfp_ nfk_ nfc_ nfo_ nfb_', '[A-Za-z0-9]{36,60}'], // Netlify
  ['ops_', 'eyJ[\\w-]{40,2000}'], // 1Password
  ['CFPAT-', '[\\w-]{40,60}'], // Contentful
  ['fm1a_ fm1r_ fm2_ fo1_', '[\\w+/=,-]{40,3000}'], // Fly
  ['sl.', '[\\w-]{100,1500}'], // Dropbox
]
