import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, guideBlock, run, type Stage, until } from './stage.ts'

export type FrontProxy = Awaited<ReturnType<typeof openProxy>>

const nginx = Bun.which('nginx') ?? Bun.which('/usr/sbin/nginx')

export const NAME = nginx ? 'nginx' : 'a small proxy of the rehearsal, because nginx is not installed'

const makeCertificate = async (folder: string) => {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const subject = ['-subj', '/CN=track.example.com', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:track.example.com']
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  await run(['openssl', ...kind, '-keyout', key, '-out', certificate, ...subject], { cwd: folder })
  return { key, certificate }
}

/** The guide shows two servers, and the rehearsal has two. */
const upstreamBlock = (ports: number[]) => {
  let index = 0
  return guideBlock('nginx', 'upstream tributary').replace(/10\.0\.0\.\d+:3000/g, () => `127.0.0.1:${ports[index++]}`)
}

type Files = { folder: string; port: number; key: string; certificate: string }

/** The server block of the guide and, for several nodes, its upstream block. */
const nginxConfiguration = ({ folder, port, key, certificate }: Files, ports: number[]) => {
  const [first] = ports
  const server = guideBlock('nginx', 'listen 443')
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/ssl_certificate .*/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*/, `ssl_certificate_key ${key};`)
    .replaceAll('http://127.0.0.1:3000', ports.length > 1 ? 'http://tributary' : `http://127.0.0.1:${first}`)
  const upstream = ports.length > 1 ? upstreamBlock(ports) : ''
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  const main = `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;`
  return `${main}\nevents {}\nhttp {\naccess_log off;\n${paths}\n${upstream}\n${server}\n}\n`
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** `serve` starts it, or reloads it without losing a connection, as `nginx -s reload` does. */
const describeNginx = (files: Files) => {
  const file = join(files.folder, 'nginx.conf')
  let child: ChildProcess | null = null
  return {
    serve: (ports: number[]) => {
      writeFileSync(file, nginxConfiguration(files, ports))
      if (child) child.kill('SIGHUP')
      else child = spawn(nginx ?? '', ['-c', file], { stdio: 'ignore' })
    },
    close: async () => {
      const ending = child
      child = null
      ending?.kill('SIGTERM')
      await until('nginx ends', () => !ending || hasEnded(ending))
    },
  }
}

/** Does what the guide's nginx does, as far as the rehearsal needs it. */
const describeFallbackProxy = ({ port, key, certificate }: Files) => {
  let server: ReturnType<typeof Bun.serve> | null = null
  let ports: number[] = []
  let calls = 0
  const forward = async (request: Request, address: string) => {
    const { pathname, search } = new URL(request.url)
    if (pathname === '/metrics') return new Response(null, { status: 404 })
    const headers = new Headers(request.headers)
    headers.set('x-forwarded-for', [request.headers.get('x-forwarded-for'), address].filter(Boolean).join(', '))
    headers.set('x-forwarded-proto', 'https')
    const body = request.body ? await request.arrayBuffer() : undefined
    const init = { method: request.method, headers, body, redirect: 'manual' as const }
    for (const _ of ports) {
      const answer = await fetch(`http://127.0.0.1:${ports[calls++ % ports.length]}${pathname}${search}`, init).catch(
        () => null,
      )
      if (answer) return answer
    }
    return new Response(null, { status: 502 })
  }
  const listen = () =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      tls: { key: readFileSync(key), cert: readFileSync(certificate) },
      fetch: (request, own) => forward(request, own.requestIP(request)?.address ?? ''),
    })
  return {
    serve: (given: number[]) => {
      ports = given
      server ??= listen()
    },
    close: async () => {
      await server?.stop(true)
      server = null
    },
  }
}

/** https on one address, in front of one or several nodes. */
export const openProxy = async (stage: Stage) => {
  const folder = stage.makeFolder('proxy')
  const files = { folder, port: freePort(), ...(await makeCertificate(folder)) }
  const url = `https://127.0.0.1:${files.port}`
  const certificate = readFileSync(files.certificate, 'utf8')
  const server = nginx ? describeNginx(files) : describeFallbackProxy(files)
  stage.afterwards(server.close)

  const request = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, tls: { ca: certificate }, signal: AbortSignal.timeout(30_000), redirect: 'manual' })
  const isUp = () =>
    request('/healthz').then(
      () => true,
      () => false,
    )
  /** Starts in front of these nodes, or passes later requests to these. */
  const serve = async (...ports: number[]) => {
    server.serve(ports)
    await until('the proxy answers', isUp)
  }
  return { url, request, serve, close: server.close }
}
