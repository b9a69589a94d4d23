import { WEBHOOK_TIMEOUT_SECONDS } from '@tributary/contract/webhook-limits'
import type { Snippet } from '~/components/code-block.tsx'

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto'

// Returns the event, or throws. body: exactly as received, before any JSON parser.
export function verifyWebhook(body, headers, secret) {
  const id = headers['webhook-id']
  const timestamp = Number(headers['webhook-timestamp'])
  if (!secret.startsWith('whsec_')) throw new Error('secret is missing')
  if (!(Math.abs(Date.now() / 1000 - timestamp) <= 300)) throw new Error('too old')

  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const digest = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest('base64')
  const expected = Buffer.from(\`v1,\${digest}\`)
  const isSigned = String(headers['webhook-signature'])
    .split(' ')
    .map((given) => Buffer.from(given))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
  if (!isSigned) throw new Error('invalid signature')
  return JSON.parse(body)
}
`

const PYTHON = `import base64, hashlib, hmac, json, time

# Returns the event, or raises. body: bytes, exactly as received.
def verify_webhook(body, headers, secret):
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    signatures = headers.get("webhook-signature", "")
    if not secret.startswith("whsec_"):
        raise ValueError("secret is missing")
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("too old")

    key = base64.b64decode(secret[len("whsec_"):])
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    if not any(hmac.compare_digest(expected, given.encode()) for given in signatures.split(" ")):
        raise ValueError("invalid signature")
    return json.loads(body)
`

const PHP = `<?php
// Returns the event, or throws. $body: file_get_contents('php://input'). $headers: getallheaders().
function verify_webhook(string $body, array $headers, string $secret): array
{
    $headers = array_change_key_case($headers);
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!str_starts_with($secret, 'whsec_')) throw new RuntimeException('secret is missing');
    if (abs(time() - (int) $timestamp) > 300) throw new RuntimeException('too old');

    $key = base64_decode(substr($secret, strlen('whsec_')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $given) {
        if (hash_equals($expected, $given)) return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    }
    throw new RuntimeException('invalid signature');
}
`

const GO = `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// VerifyWebhook returns an error unless the request came from Tributary. body: exactly as received.
func VerifyWebhook(body []byte, headers http.Header, secret string) error {
	timestamp, err := strconv.ParseInt(headers.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(timestamp, 0)).Abs() > 5*time.Minute {
		return errors.New("too old")
	}
	if !strings.HasPrefix(secret, "whsec_") {
		return errors.New("secret is missing")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}

	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", headers.Get("webhook-id"), timestamp, body)
	expected := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(expected), []byte(given)) {
			return nil
		}
	}
	return errors.New("invalid signature")
}
`

const RUBY = `require "base64"
require "json"
require "openssl"

# Returns the event, or raises. body: request.raw_post. headers: request.headers of Rails.
def verify_webhook(body, headers, secret)
  timestamp = headers["webhook-timestamp"].to_s
  raise "secret is missing" unless secret.start_with?("whsec_")
  raise "too old" if (Time.now.to_i - timestamp.to_i).abs > 300

  key = Base64.decode64(secret.delete_prefix("whsec_"))
  signed = "#{headers["webhook-id"]}.#{timestamp}.#{body}"
  expected = "v1," + Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", key, signed))
  signatures = headers["webhook-signature"].to_s.split(" ")
  raise "invalid signature" unless signatures.any? { |given| OpenSSL.secure_compare(expected, given) }
  JSON.parse(body)
end
`

const NOTE = `Respond with any 2xx status within ${WEBHOOK_TIMEOUT_SECONDS} seconds, and ignore a webhook-id you already processed: an event can arrive more than once.`

/** The same code as in docs/guides/webhooks.md, where a test runs it. */
export const verificationSnippets = (baseUrl: string): Snippet[] => [
  { name: 'Node', code: NODE, note: `${NOTE} The SDK includes verifyWebhook: npm install ${baseUrl}/sdk.tgz` },
  { name: 'Python', code: PYTHON, note: NOTE },
  { name: 'PHP', code: PHP, note: NOTE },
  { name: 'Go', code: GO, note: NOTE },
  { name: 'Ruby', code: RUBY, note: NOTE },
]
