import { sql } from 'kysely'

/** SQL fragment: where a link leads. One without a destination of its own leads to the program's first website, whichever that is. */
export const destinationOf = (link: string) => sql<string | null>`coalesce(${sql.ref(`${link}.destination_url`)},
  (SELECT program.websites[1] || '/' FROM programs program WHERE program.id = ${sql.ref(`${link}.program_id`)}))`
