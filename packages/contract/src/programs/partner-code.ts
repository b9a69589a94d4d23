// The dashboard bundles this file, so it imports nothing.

/** The code made from a name: "Ada Lovelace" becomes `ada-lovelace`. Null if too little of the name is left. */
export const codeFromName = (name: string) => {
  const code = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 24)
  return code.length < 2 ? null : code
}
