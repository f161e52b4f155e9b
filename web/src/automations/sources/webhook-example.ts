/** Commands that send a signed message, for any POSIX shell with openssl and curl. */
export function webhookExample(url: string, secret: string): string {
  return `URL='${url}'
SECRET='${secret}'
BODY='{"order": 7}'
TIME=$(date +%s); ID="msg_$TIME"
KEY=$(printf %s "\${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \\n')
SIGNATURE=$(printf %s "$ID.$TIME.$BODY" |
  openssl dgst -sha256 -mac hmac -macopt "hexkey:$KEY" -binary | openssl base64 -A)
curl -sS "$URL" -H 'content-type: application/json' -H "webhook-id: $ID" \\
  -H "webhook-timestamp: $TIME" -H "webhook-signature: v1,$SIGNATURE" -d "$BODY"
`;
}
