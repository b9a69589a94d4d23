import type { SavedView, ViewList } from '@tributary/contract'
import { useState } from 'react'
import { useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import { keepColumns, keptColumns } from './kept-columns.ts'
import { ViewsMenu } from './views-menu.tsx'

type Options<Row> = {
  list: ViewList
  columns: Column<Row>[]
  /** Which of a page's lists, if it has several. */
  part?: string
}

/** The columns that the user chose for a list, and the menus for columns and saved views. */
export const useListView = <Row,>({ list, columns, part = '' }: Options<Row>) => {
  const { user } = useProgram()
  const { search, applyView } = useListSearch()
  const key = `${user.id}:${list}${part && `:${part}`}`
  const [chosen, setChosen] = useState(() => keptColumns(key))
  const choose = (headers: string[] | null) => {
    keepColumns(key, headers)
    setChosen(headers)
  }
  const isShown = ({ header, isExtra }: Column<Row>, index: number) =>
    index === 0 || (chosen ? chosen.includes(header) : !isExtra)
  const apply = (view: SavedView) => {
    choose(view.columns)
    applyView(view.search)
  }
  const { page: _page, ...filters } = search
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as Record<string, string>
  return {
    columns: columns.filter(isShown),
    tools: (
      <div className="flex gap-2 sm:ml-auto">
        <ViewsMenu list={list} current={{ search: set, columns: chosen }} onApply={apply} />
        <ColumnsMenu
          columns={columns.slice(1).map(({ header }) => header)}
          shown={columns.filter(isShown).map(({ header }) => header)}
          isChosen={chosen !== null}
          onChange={choose}
        />
      </div>
    ),
  }
}
