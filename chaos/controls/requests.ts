export const pathOf = (request: Request) => new URL(request.url).pathname

/** A request whose body was read cannot be passed on; this copy can. */
export const copyOf = ({ url, headers }: Request, body: string) => new Request(url, { method: 'POST', headers, body })
