import { Readable, Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { S3Client } from 'bun'
import type { S3Settings } from '../../config/backup.ts'
import { StartupError } from '../../config/startup-error.ts'
import type { Destination } from './destination.ts'

/** Ten thousand parts, which S3 allows, make 320 GB. */
const PART_BYTES = 32 * 2 ** 20

export const isS3 = (name: string) => name.startsWith('s3://')

/** `s3://bucket/some/name`. */
export const openBucket = (address: string, settings: S3Settings | null) => {
  const [, bucket, path = ''] = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/(.*))?$/.exec(address) ?? []
  if (!bucket)
    throw new StartupError(
      `${address} must look like s3://bucket/folder. A bucket name has 3 to 63 lowercase letters, digits, dots and hyphens.`,
    )
  if (!settings) throw new StartupError('Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY to use S3 storage.')
  const client = new S3Client({ ...settings, bucket })
  const nameOf = (key: string) => `s3://${bucket}/${key}`
  const failed = (key: string) => (error: unknown) => {
    throw explain(nameOf(key), error)
  }
  return {
    path,
    /** The keys that begin with `prefix`, however many. */
    list: async (prefix: string) => {
      const keys: string[] = []
      for (let token: string | undefined; ; ) {
        const page = await client.list({ prefix, ...(token && { continuationToken: token }) }).catch(failed(prefix))
        keys.push(...(page.contents ?? []).map(({ key }) => key))
        token = page.nextContinuationToken
        if (!page.isTruncated || !token) return keys
      }
    },
    remove: (key: string) => client.delete(key).catch(failed(key)),
    read: async (key: string) => {
      await client.stat(key).catch(failed(key))
      return Readable.fromWeb(client.file(key).stream() as never)
    },
    write: (key: string): Destination => ({ name: nameOf(key), open: () => openUpload(client, key, nameOf(key)) }),
  }
}

/** A multipart upload: storage shows the object only when all of it has arrived. */
const openUpload = (client: S3Client, key: string, name: string) => {
  const writer = client.file(key).writer({ partSize: PART_BYTES, queueSize: 2, retry: 3 })
  const settle = (work: () => unknown, done: (error?: Error | null) => void) =>
    void Promise.resolve()
      .then(work)
      .then(
        () => done(),
        (error) => done(explain(name, error)),
      )
  const stream = new Writable({
    highWaterMark: 2 ** 20,
    write: (chunk: Buffer, _, done) =>
      settle(async () => {
        await writer.write(chunk)
        await writer.flush()
      }, done),
    final: (done) => settle(() => writer.end(), done),
  })
  return {
    stream,
    publish: () => finished(stream),
    discard: async () => {
      stream.destroy()
      try {
        await writer.end(new Error('the backup failed'))
      } catch {
        // Storage removes the parts of unfinished uploads by its own rules.
      }
    },
  }
}

const explain = (name: string, error: unknown) => {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (error instanceof StartupError) return error
  if (/^(NoSuchKey|NotFound|UnknownError)$/.test(code) && /not found|NoSuchKey|404/i.test(`${code} ${message}`))
    return new StartupError(`${name} does not exist.`)
  return new StartupError(`${name}: the storage refused the request (${[code, message].filter(Boolean).join(': ')}).`)
}
