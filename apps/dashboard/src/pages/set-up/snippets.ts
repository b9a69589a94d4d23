import { CLICK_COOKIE, TRACKER_FILE } from '@tributary/contract/names'
import type { Snippet } from '~/components/code-block.tsx'
import { formatMoney } from '~/components/format/format.ts'

type Place = { baseUrl: string; programId: number }
type Sale = { baseUrl: string; currency: string; amount: number }

const KEY_NOTE = 'TRIBUTARY_API_KEY is an API key of this program. Keep it on your server.'

type Tag = Place & { respectGlobalPrivacyControl: boolean }

export const trackerSnippets = ({ baseUrl, programId, respectGlobalPrivacyControl }: Tag): Snippet[] => {
  const privacy = respectGlobalPrivacyControl ? ' data-gpc="respect"' : ''
  const attributes = `src="${baseUrl}/${TRACKER_FILE}" data-program-id="${programId}"${privacy}`
  return [
    {
      name: 'HTML',
      code: `<script async ${attributes}></script>`,
      note: 'Add to the <head> of every page that referral links point to.',
    },
    {
      name: 'Next.js',
      code: `// app/layout.tsx
import Script from 'next/script'

<Script ${attributes} />`,
    },
  ]
}

export const leadSnippets = (place: Place): Snippet[] => [
  ...javascriptLead(place),
  ...otherLanguagesLead(place),
  ...curlLead(place),
]

const javascriptLead = ({ baseUrl }: Place): Snippet[] => [
  {
    name: 'Node',
    note: KEY_NOTE,
    code: `// After the account is created. \`request\` is the visitor's request, with its cookies.
await fetch('${baseUrl}/api/v1/track/lead', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.TRIBUTARY_API_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    customer_key: user.id, // your stable ID for the customer
    click_id: request.cookies.${CLICK_COOKIE},
    email: user.email, // optional
  }),
})`,
  },
  {
    name: 'Next.js',
    note: KEY_NOTE,
    code: `'use server'
import { cookies } from 'next/headers'

export async function trackLead(user: { id: string; email: string }) {
  const clickId = (await cookies()).get('${CLICK_COOKIE}')?.value
  await fetch('${baseUrl}/api/v1/track/lead', {
    method: 'POST',
    headers: {
      authorization: \`Bearer \${process.env.TRIBUTARY_API_KEY}\`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ customer_key: user.id, click_id: clickId, email: user.email }),
  })
}`,
  },
]

const otherLanguagesLead = ({ baseUrl }: Place): Snippet[] => [
  {
    name: 'PHP',
    note: KEY_NOTE,
    code: `$call = curl_init('${baseUrl}/api/v1/track/lead');
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'authorization: Bearer ' . getenv('TRIBUTARY_API_KEY'),
        'content-type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'customer_key' => (string) $user->id,
        'click_id' => $_COOKIE['${CLICK_COOKIE}'] ?? null,
        'email' => $user->email,
    ]),
]);
$response = curl_exec($call);`,
  },
  {
    name: 'Python',
    note: KEY_NOTE,
    code: `import os, requests

requests.post(
    "${baseUrl}/api/v1/track/lead",
    headers={"authorization": f"Bearer {os.environ['TRIBUTARY_API_KEY']}"},
    json={
        "customer_key": str(user.id),
        "click_id": request.cookies.get("${CLICK_COOKIE}"),
        "email": user.email,
    },
    timeout=10,
).raise_for_status()`,
  },
]

const curlLead = ({ baseUrl }: Place): Snippet[] => [
  {
    name: 'curl',
    note: KEY_NOTE,
    code: `curl ${baseUrl}/api/v1/track/lead \\
  -H "authorization: Bearer $TRIBUTARY_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"customer_key": "user_42", "click_id": "<value of the ${CLICK_COOKIE} cookie>"}'`,
  },
  {
    name: 'Test from your server',
    note: 'Appears on this page within seconds. It doesn’t affect customers or commissions.',
    code: `curl ${baseUrl}/api/v1/track/lead \\
  -H "authorization: Bearer $TRIBUTARY_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"customer_key": "test", "additional_data": {"test_mode": true}}'`,
  },
]

export const saleSnippets = ({ baseUrl, currency, amount }: Sale): Snippet[] => [
  {
    name: 'Node',
    note: KEY_NOTE,
    code: `// When a payment succeeds.
await fetch('${baseUrl}/api/v1/track/sale', {
  method: 'POST',
  headers: {
    authorization: \`Bearer \${process.env.TRIBUTARY_API_KEY}\`,
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    customer_key: user.id, // the same ID as in the lead call
    amount: ${amount}, // ${formatMoney(amount, currency)} in the smallest unit
    currency: '${currency}',
    invoice_id: invoice.id, // each invoice counts once
  }),
})`,
  },
  {
    name: 'PHP',
    note: KEY_NOTE,
    code: `$call = curl_init('${baseUrl}/api/v1/track/sale');
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        'authorization: Bearer ' . getenv('TRIBUTARY_API_KEY'),
        'content-type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'customer_key' => (string) $user->id,
        'amount' => ${amount},
        'currency' => '${currency}',
        'invoice_id' => $invoice->id,
    ]),
]);
$response = curl_exec($call);`,
  },
  {
    name: 'Python',
    note: KEY_NOTE,
    code: `import os, requests

requests.post(
    "${baseUrl}/api/v1/track/sale",
    headers={"authorization": f"Bearer {os.environ['TRIBUTARY_API_KEY']}"},
    json={"customer_key": str(user.id), "amount": ${amount}, "currency": "${currency}", "invoice_id": invoice.id},
    timeout=10,
).raise_for_status()`,
  },
  {
    name: 'curl',
    note: KEY_NOTE,
    code: `curl ${baseUrl}/api/v1/track/sale \\
  -H "authorization: Bearer $TRIBUTARY_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"customer_key": "user_42", "amount": ${amount}, "currency": "${currency}", "invoice_id": "inv_1001"}'`,
  },
  {
    name: 'Test from your server',
    note: 'Appears on this page within seconds. It creates no sale and no commission.',
    code: `curl ${baseUrl}/api/v1/track/sale \\
  -H "authorization: Bearer $TRIBUTARY_API_KEY" \\
  -H 'content-type: application/json' \\
  -d '{"additional_data": {"test_mode": true}}'`,
  },
]
