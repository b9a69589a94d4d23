import { createHash, createHmac } from 'node:crypto'

const CREDENTIALS = { S3_ACCESS_KEY_ID: 'backup', S3_SECRET_ACCESS_KEY: 'a secret of the storage' }
const REGION = 'us-east-1'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** Signature version 4, recomputed from the request as S3 does. */
const isSigned = (request: Request, url: URL) => {
  const pattern = /Credential=([^/]+)\/(\d+)\/([\w-]+)\/s3\/aws4_request, ?SignedHeaders=([\w;-]+), ?Signature=(\w+)/
  const [, id, day = '', region, names = '', signature] = pattern.exec(request.headers.get('authorization') ?? '') ?? []
  if (id !== CREDENTIALS.S3_ACCESS_KEY_ID || region !== REGION) return false
  const query = [...url.searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const headers = names.split(';').map((name) => `${name}:${request.headers.get(name) ?? ''}\n`)
  const canonical = [
    ...[request.method, url.pathname, query.join('&'), headers.join(''), names],
    request.headers.get('x-amz-content-sha256') ?? '',
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const hash = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', request.headers.get('x-amz-date'), scope, hash].join('\n')
  const dayKey = hmac(`AWS4${CREDENTIALS.S3_SECRET_ACCESS_KEY}`, day)
  const key = hmac(hmac(hmac(dayKey, REGION), 's3'), 'aws4_request')
  return hmac(key, text).toString('hex') === signature
}

const xml = (text: string, status = 200) =>
  new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, { status, headers: { 'content-type': 'text/xml' } })
const error = (status: number, code: string) =>
  xml(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status)

/** S3-compatible storage in memory: objects, multipart uploads, lists, and nothing without a valid signature. */
export const startS3Server = () => {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()

  const put = async (request: Request, url: URL, key: string) => {
    const content = Buffer.from(await request.arrayBuffer())
    const upload = uploads.get(url.searchParams.get('uploadId') ?? '')
    if (upload) upload.set(Number(url.searchParams.get('partNumber')), content)
    else objects.set(key, content)
    return new Response(null, { headers: { etag: `"${createHash('md5').update(content).digest('hex')}"` } })
  }
  const post = (url: URL, key: string) => {
    if (url.searchParams.has('uploads')) {
      const id = crypto.randomUUID()
      uploads.set(id, new Map())
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    const parts = [...(uploads.get(url.searchParams.get('uploadId') ?? '') ?? [])].sort(([a], [b]) => a - b)
    objects.set(key, Buffer.concat(parts.map(([, part]) => part)))
    return xml(`<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"done"</ETag></CompleteMultipartUploadResult>`)
  }
  const list = (url: URL, bucket: string) => {
    const prefix = `${bucket}/${url.searchParams.get('prefix') ?? ''}`
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix)).sort()
    const contents = keys.map((key) => `<Contents><Key>${key.slice(bucket.length + 1)}</Key></Contents>`).join('')
    return xml(`<ListBucketResult><Name>${bucket}</Name><IsTruncated>false</IsTruncated>${contents}</ListBucketResult>`)
  }
  const read = (request: Request, key: string) => {
    const content = objects.get(key)
    if (!content) return error(404, 'NoSuchKey')
    const headers = {
      'content-length': String(content.length),
      etag: '"1"',
      'last-modified': new Date(0).toUTCString(),
    }
    return new Response(request.method === 'HEAD' ? null : new Uint8Array(content), { headers })
  }
  const server = Bun.serve({
    port: 0,
    maxRequestBodySize: 2 ** 30,
    fetch: async (request) => {
      const url = new URL(request.url)
      if (!isSigned(request, url)) return error(403, 'SignatureDoesNotMatch')
      const key = decodeURIComponent(url.pathname.slice(1))
      const [bucket = ''] = key.split('/')
      if (request.method === 'PUT') return put(request, url, key)
      if (request.method === 'POST') return post(url, key)
      if (request.method === 'DELETE') return new Response(null, { status: objects.delete(key) ? 204 : 404 })
      return url.searchParams.has('list-type') ? list(url, bucket) : read(request, key)
    },
  })
  return {
    env: { ...CREDENTIALS, S3_ENDPOINT: `http://localhost:${server.port}` },
    objects,
    stop: () => server.stop(true),
  }
}
