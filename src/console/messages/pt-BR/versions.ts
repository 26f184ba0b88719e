import { countText } from '../../components/format.ts';
import type { Translation } from '../translation.ts';
import type { versionTexts as english } from '../versions.ts';

const lines = (count: number): string =>
  `${countText(count)} ${count === 1 ? 'linha sem mudança' : 'linhas sem mudança'}`;

export const versionTexts = {
  versions: {
    title: 'Versões',
    lead: 'Compare as versões do agente, volte a uma delas ou deixe uma responder a um percentual das novas conversas.',
    table: 'Versões deste agente',
    columns: {
      version: 'Versão',
      share: 'Percentual',
      note: 'Observação',
      changes: 'Alterações',
      outcome: 'Últimos 7 dias',
      author: 'Autor',
      at: 'Criada',
    },
    version: (number: number) => `Versão ${String(number)}`,
    versionInText: (number: number) => `versão ${String(number)}`,
    published: 'Publicada',
    candidate: 'Candidata',
    answers: (count: number, shown: string) => (count === 1 ? '1 resposta' : `${shown} respostas`),
    failed: (count: string, of: string, rate: string) => `${count} de ${of} com erro (${rate})`,
    noneFailed: 'Nenhuma com erro',
    compare: 'Comparar',
    compareOf: (number: number) => `Comparar a versão ${String(number)}`,
    openDraft: 'Abrir o rascunho',
    versionShare: (number: number, percent: number) => `Versão ${String(number)} (${String(percent)}%)`,
    restores: (number: number) => `Restaura o conteúdo da versão ${String(number)}`,
    unknownAuthor: 'Não registrado',
    notRecorded: 'Não registrado',
    rollBack: (number: number, published: number) => ({
      label: 'Restaurar',
      title: `Restaurar a versão ${String(number)}?`,
      text: `O conteúdo dela se torna uma nova versão, que responde a partir da próxima mensagem. As respostas em andamento continuam com a versão em que começaram. O que muda em relação à versão ${String(published)}:`,
      done: 'Versão restaurada',
    }),
    share: {
      give: 'Definir percentual',
      change: 'Alterar percentual',
      title: (number: number) => `Percentual da versão ${String(number)}`,
      label: 'Percentual das novas conversas',
      help: 'De 1 a 99. Cada uma dessas conversas continua com a versão enquanto ela tiver um percentual. Com 100, a versão é publicada.',
      replaces: (number: number) => `A versão ${String(number)} tem um percentual agora e vai perdê-lo.`,
      save: 'Salvar percentual',
      saved: 'Percentual salvo',
      end: (number: number, published: number) => ({
        label: 'Remover percentual',
        title: `Remover o percentual da versão ${String(number)}?`,
        text: `As conversas dela continuam com a versão ${String(published)}, a partir da próxima mensagem.`,
        done: 'Percentual removido',
      }),
      publish: (number: number, published: number) => ({
        label: 'Publicar para todos',
        title: `Publicar a versão ${String(number)}?`,
        text: `Ela responde a todas as conversas a partir da próxima mensagem. O que muda em relação à versão ${String(published)}:`,
        done: 'Publicada',
      }),
    },
    draft: {
      changes: (fields: string) => `Altera: ${fields}`,
      row: 'Rascunho',
      unpublished: 'Não publicado',
      save: 'Salvar rascunho',
      saved: 'Rascunho salvo',
      mark: 'rascunho',
      tryIt: 'Testar o rascunho',
      noticeTitle: 'Rascunho',
      by: (author: string) => `salvo por ${author},`,
      answers: 'Não responde a nenhum cliente até você publicá-lo.',
      stale: (version: number, base: number) =>
        `A versão ${String(version)} foi publicada nesse meio-tempo; o rascunho partiu da versão ${String(base)}. Antes de publicá-lo, confira as diferenças.`,
      discard: {
        label: 'Descartar rascunho',
        title: 'Descartar o rascunho?',
        text: 'O formulário volta à versão publicada. Esta ação não pode ser desfeita.',
        done: 'Rascunho descartado',
      },
      publish: 'Publicar',
      publishTitle: 'Publicar uma versão',
      changesFrom: (version: number) => `Mudanças em relação à versão ${String(version)}, que está publicada`,
      note: 'Observação',
      noteHelp: 'O que muda e por quê. Aparece na lista de versões.',
      shareHelp:
        '100: ela responde a todos a partir da próxima mensagem. Menos de 100: ela se torna uma candidata.',
      published: (version: number, percent: number | null) =>
        percent === null
          ? `A versão ${String(version)} está publicada`
          : `A versão ${String(version)} responde a ${String(percent)}% das novas conversas`,
      keepsShare: (number: number, percent: number) =>
        `A versão ${String(number)} mantém seus ${String(percent)}% das novas conversas.`,
      needsRehearsal:
        'Este agente só pode ser publicado depois que um ensaio exatamente deste rascunho for aprovado.',
      notRehearsedTitle: 'Nenhum ensaio deste rascunho foi aprovado',
      notRehearsed:
        'O rascunho está salvo e não foi publicado. Ensaie-o até que todos os turnos passem e publique-o sem fazer outras alterações.',
      rehearse: 'Ensaiar o rascunho',
      changedByOthers: 'Outra pessoa alterou o rascunho nesse meio-tempo. Compare o dela com o seu.',
      conflictTitle: 'Outra pessoa salvou um rascunho deste agente',
      goneTitle: 'Outra pessoa publicou ou descartou o rascunho',
      conflictNotice: 'Outra pessoa salvou um rascunho deste agente.',
      goneNotice: 'Outra pessoa publicou ou descartou o rascunho.',
      savedBy: (author: string) => `Salvo por ${author}`,
    },
    detailTitle: (number: number) => `Versão ${String(number)}`,
    compareWith: 'Comparar com',
    option: (number: number, mark: string | undefined) =>
      `Versão ${String(number)}${mark === undefined ? '' : ` (${mark})`}`,
    publishedMark: 'publicada',
    candidateMark: 'candidata',
    changesFrom: (before: number, after: number) =>
      `Mudanças da versão ${String(before)} para a versão ${String(after)}`,
    first: 'Esta é a versão mais antiga que ainda é mantida.',
    content: 'Conteúdo',
    same: 'Nenhuma diferença.',
    changeOf: (field: string) => `Mudanças de ${field}`,
    gap: (count: number) => `… ${lines(count)}`,
    fields: {
      instructions: 'Instruções',
      model: 'Modelo',
      fallback_model: 'Modelo reserva',
      script: 'Script',
      follow_ups: 'Follow-ups',
      transfers_to: 'Pode transferir para',
      may_hand_over: 'Pode passar para um atendente',
      tools: 'Ferramentas',
      tool_policies: 'Regras das ferramentas',
      approvers: 'Aprovadores no WhatsApp',
      connections: 'Espaços de trabalho',
      temperature: 'Temperatura',
      max_output_tokens: 'Máximo de tokens de saída',
      reasoning_effort: 'Esforço de raciocínio',
      output_schema: 'Esquema de saída',
    },
    defaultModel: 'O modelo padrão',
    onlyWorkspace: 'O único espaço de trabalho',
    on: 'Ativado',
    off: 'Desativado',
  },
} satisfies Translation<typeof english>;
