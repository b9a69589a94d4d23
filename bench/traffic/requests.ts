type Headers = Record<string, string>

const lines = (headers: Headers) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

/** A POST with a JSON body as raw HTTP. Bodies are single-byte, so the string length is the content length. */
export const postRequest = (path: string, body: string, headers: Headers = {}) =>
  `POST ${path} HTTP/1.1\r\nhost: track.example.com\r\naccept: */*\r\n${lines(headers)}` +
  `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

export const getRequest = (path: string, headers: Headers = {}) =>
  `GET ${path} HTTP/1.1\r\nhost: track.example.com\r\naccept: application/json\r\n${lines(headers)}\r\n`
