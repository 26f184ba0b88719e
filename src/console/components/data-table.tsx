/** A table; on narrow screens each row becomes a card. The roles keep it a table for screen readers there too. */
import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { words } from '../messages.ts';

export interface Column<Row> {
  label: string;
  render: (row: Row) => ReactNode;
  /** This column is the card's heading on narrow screens. */
  lead?: boolean;
}

export interface TableProps<Row> {
  label: string;
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  columns: readonly Column<Row>[];
  actions?: ((row: Row) => ReactNode) | undefined;
  /** Shown instead of the table while there are no rows. */
  empty?: ReactNode;
}

export function DataTable<Row>(props: TableProps<Row>) {
  const { label, rows, rowKey, columns, actions, empty } = props;
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    <div className="panel">
      <Table aria-label={label} role="table" className="data-table">
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map((column) => (
              <Table.Th key={column.label} role="columnheader" scope="col">
                {column.label}
              </Table.Th>
            ))}
            {actions && (
              <Table.Th role="columnheader" scope="col" ta="right">
                {words.common.actions}
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows.map((row) => (
            <Table.Tr key={rowKey(row)} role="row">
              {columns.map((column) => (
                <Table.Td
                  key={column.label}
                  role="cell"
                  data-label={column.label}
                  {...(column.lead === true && { 'data-lead': true })}
                >
                  {column.render(row)}
                </Table.Td>
              ))}
              {actions && (
                <Table.Td role="cell" className="row-actions">
                  <div>{actions(row)}</div>
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
