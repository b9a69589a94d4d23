export const pathOf = (request: Request) => new URL(request.url).pathname

/** A request whose body was read cannot be handed on; this one can. */
export const copyOf = ({ url, headers }: Request, body: string) => new Request(url, { method: 'POST', headers, body })
