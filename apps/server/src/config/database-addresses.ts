/** The part before the hosts, the hosts, and the rest: `postgres://user:secret@`, `one:5432,two:5433`, `/database?sslmode=require`. */
const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*,[^/?#]*)(.*)$/

/** The addresses of a connection string, one for each host that it names, in the form that `pg` understands. */
export const addressesOf = (url: string): string[] => {
  const [, start = '', hosts, rest = ''] = SEVERAL.exec(url) ?? []
  if (hosts === undefined) return [withoutTarget(url)]
  return hosts.split(',').map((host) => withoutTarget(`${start}${host}${rest}`))
}

/** `pg` does not know this option. */
const withoutTarget = (url: string) =>
  url.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_, before: string, after: string) => (after ? before : ''))

export const targetOf = (url: string) => /[?&]target_session_attrs=([^&]*)/.exec(url)?.[1]
