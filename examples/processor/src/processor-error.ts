type Detail = { param?: string; code?: string }

/** An error in the processor's format. */
export class ProcessorError extends Error {
  override name = 'ProcessorError'
  constructor(
    readonly status: 400 | 401 | 402 | 403 | 404,
    message: string,
    readonly detail: Detail = {},
  ) {
    super(message)
  }
}

export const noSuch = (kind: string, id: string) =>
  new ProcessorError(404, `No such ${kind}: '${id}'`, { code: 'resource_missing', param: 'id' })
