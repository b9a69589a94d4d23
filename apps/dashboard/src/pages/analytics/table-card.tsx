import type { Cell } from '@tributary/contract/csv'
import { csvLine } from '@tributary/contract/csv'
import { clsx } from 'clsx'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { saveFile } from '~/components/lists/download.tsx'

type Props = {
  title: string
  description: string
  /** Its rows as a file; without rows there is no button. */
  file: { name: string; columns: string[]; rows: Cell[][] }
  stale?: boolean
  children: ReactNode
}

/** A table with its title and a CSV file of the same numbers. */
export const TableCard = ({ title, description, file, stale = false, children }: Props) => {
  const save = () =>
    saveFile(
      new Blob([file.columns, ...file.rows].map(csvLine), { type: 'text/csv;charset=utf-8' }),
      `${file.name}.csv`,
    )
  return (
    <Card className={clsx('flex flex-col', stale && 'opacity-60')}>
      <CardHeader
        title={title}
        description={description}
        actions={
          file.rows.length > 0 && (
            <Button onClick={save} aria-label={`Export CSV: ${title}`}>
              <Download aria-hidden /> Export CSV
            </Button>
          )
        }
      />
      {children}
    </Card>
  )
}

export const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="px-5 py-14 text-center text-faint text-sm">{children}</p>
)

/** The share of a whole, drawn behind a row's name. */
export const ShareBar = ({ share }: { share: number }) => (
  <span
    aria-hidden
    className="absolute inset-y-0 left-0 rounded-md bg-hover"
    style={{ width: share > 0 ? `${Math.max(1.5, share * 100)}%` : 0 }}
  />
)

export const HEAD = 'py-2 text-right font-medium first:pl-5 first:text-left last:pr-5'
export const CELL = 'py-1.5 text-right tabular-nums last:pr-5'
