const API = 'https://api.lemonsqueezy.com/v1'

/** A JSON:API resource object: ids are strings, related ids in attributes are numbers. */
export const resourceOf = (type: string, id: number, attributes: object, related: string[]) => {
  const self = `${API}/${type}/${id}`
  return {
    type,
    id: String(id),
    attributes,
    relationships: Object.fromEntries(
      related.map((name) => [name, { links: { related: `${self}/${name}`, self: `${self}/relationships/${name}` } }]),
    ),
    links: { self },
  }
}
