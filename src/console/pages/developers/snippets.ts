/** Examples of a first API call in three languages. Each reads the token from the environment variable PARLEY_TOKEN. */

export const languages = ['curl', 'typescript', 'python'] as const;
export type Language = (typeof languages)[number];

interface Call {
  /** URL of the API, including `/v1`. */
  baseUrl: string;
  agentId: string;
}

const body = '{"message": "Hello!", "sync": true}';

/**
 * By language, a function that returns the example. The examples need no packages. The TypeScript example has no type
 * annotations, so that Node 20 or later also runs it as an ES module. The Python example uses only the standard library
 * of Python 3.
 */
export const snippets: Readonly<Record<Language, (call: Call) => string>> = {
  curl: ({ baseUrl, agentId }) => `curl -sS ${baseUrl}/chat/${agentId} \\
  -H "Authorization: Bearer $PARLEY_TOKEN" \\
  -H "Content-Type: application/json" \\
  -d '${body}'
`,
  typescript: ({ baseUrl, agentId }) => `const response = await fetch('${baseUrl}/chat/${agentId}', {
  method: 'POST',
  headers: {
    Authorization: \`Bearer \${process.env.PARLEY_TOKEN}\`,
    'Content-Type': 'application/json',
    // With the same key, a repeated call is accepted only once.
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({ message: 'Hello!', sync: true }),
});
const answer = await response.json();
if (!response.ok) throw new Error(\`\${answer.code}: \${answer.error}\`);
console.log(answer.response);
`,
  python: ({ baseUrl, agentId }) => `import json
import os
import urllib.request
import uuid

request = urllib.request.Request(
    "${baseUrl}/chat/${agentId}",
    data=json.dumps({"message": "Hello!", "sync": True}).encode(),
    headers={
        "Authorization": f"Bearer {os.environ['PARLEY_TOKEN']}",
        "Content-Type": "application/json",
        # The same key makes a repeated call safe.
        "Idempotency-Key": str(uuid.uuid4()),
    },
)
with urllib.request.urlopen(request, timeout=150) as response:
    print(json.load(response)["response"])
`,
};
