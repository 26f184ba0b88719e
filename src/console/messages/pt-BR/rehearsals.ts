import type { TurnOutcome } from '../../../contract/rehearsals/rehearsals.ts';
import { countText } from '../../components/format.ts';
import type { rehearsalTexts as english } from '../rehearsals.ts';
import type { Translation } from '../translation.ts';

const turns = (count: number): string => `${countText(count)} ${count === 1 ? 'turno' : 'turnos'}`;

const notPassing = (failing: number, count: number): string =>
  `${countText(failing)} de ${turns(count)} não ${failing === 1 ? 'passa' : 'passam'}`;

/** Singular and plural. */
const outcomeWords: Record<TurnOutcome, readonly [one: string, more: string]> = {
  same: ['sem mudança', 'sem mudança'],
  other_text: ['reescrita', 'reescritas'],
  other_tool: ['com outra ferramenta', 'com outra ferramenta'],
  other_arguments: ['com outros argumentos', 'com outros argumentos'],
  other_transfer: ['com outra transferência', 'com outra transferência'],
  refused: ['recusado', 'recusados'],
  failed: ['com erro', 'com erro'],
};

export const rehearsalTexts = {
  rehearsals: {
    title: 'Ensaios',
    lead: 'Repita turnos registrados com um rascunho, outra versão ou outro modelo. Nada é enviado.',
    list: 'Ensaios',
    listLead: 'Os 50 mais recentes são mantidos, por 90 dias.',
    table: 'Ensaios deste agente',
    columns: {
      what: 'Versão',
      result: 'Resultado',
      answers: 'Respostas',
      change: 'Custo e tempo',
      started: 'Início',
    },
    changes: {
      cost: {
        same: 'Mesmo custo',
        less: (by: string) => `${by} mais barato`,
        more: (by: string) => `${by} mais caro`,
      },
      time: {
        same: 'Mesmo tempo',
        less: (by: string) => `${by} mais rápido`,
        more: (by: string) => `${by} mais lento`,
      },
    },
    outcomeCount: (count: number, outcome: TurnOutcome) =>
      `${countText(count)} ${outcomeWords[outcome][count === 1 ? 0 : 1]}`,
    emptyTitle: 'Nenhum ensaio ainda',
    emptyText: 'Altere o agente em um rascunho e inicie um ensaio para ver como as respostas mudam.',
    draft: 'Rascunho',
    version: (number: number) => `Versão ${String(number)}`,
    withModel: (what: string, model: string) => `${what}, ${model}`,
    statuses: {
      running: 'Em andamento',
      completed: 'Concluído',
      cancelled: 'Cancelado',
      failed: 'Falhou',
    },
    allPass: (count: number) => (count === 1 ? '1 turno: passa' : `${turns(count)}: todos passam`),
    somePass: notPassing,
    allTurns: turns,
    notAsked: (count: number) => `${turns(count)} sem resposta ainda`,
    asked: (done: number, count: number) => `${countText(done)} de ${turns(count)} com resposta`,
    start: {
      label: 'Iniciar um ensaio',
      submit: 'Iniciar ensaio',
      cost: 'As chamadas ao modelo custam créditos. As ferramentas não são chamadas: cada chamada recebe o resultado registrado.',
      sameVersion:
        'Nas respostas registradas que a própria versão publicada deu, isto só mostra o quanto elas variam. Para comparar, escolha um rascunho, outra versão ou outro modelo.',
      version: 'Ensaiar',
      published: (number: number) => `A versão publicada (${String(number)})`,
      draft: 'O rascunho',
      model: 'Outro modelo',
      modelHelp: 'provedor/nome. Deixe em branco para usar o modelo da versão.',
      source: 'Turnos',
      sources: { recent: 'Os mais recentes', test_set: 'O conjunto de testes' },
      maxTurns: 'No máximo',
      maxTurnsHelp:
        'De 1 a 1.000 turnos. Deixe em branco para usar os 100 mais recentes ou todo o conjunto de testes.',
      readOnly: 'Executar ferramentas que só leem',
      readOnlyHelp: 'Desativado: um turno para em uma chamada de ferramenta sem resultado registrado.',
      accepts: 'Um turno passa se o resultado dele for',
      rules: 'Regras para cada resposta',
      rule: (number: number) => `Regra ${String(number)}`,
      kinds: {
        contains: 'Contém',
        does_not_contain: 'Não contém',
        max_chars: 'Tem no máximo este tamanho',
        json_schema: 'É um JSON que segue um esquema',
      },
      text: (number: number) => `Regra ${String(number)}: texto`,
      max: (number: number) => `Regra ${String(number)}: caracteres`,
      schema: (number: number) => `Regra ${String(number)}: JSON Schema`,
      notJson: 'precisa ser um objeto JSON',
      addRule: 'Adicionar regra',
      removeRule: (number: number) => `Remover regra ${String(number)}`,
      judge: 'Avaliador',
      judgeHelp: 'Um modelo que compara respostas com textos diferentes. Um turno que ficou pior não passa.',
      judgeModel: 'Modelo do avaliador',
      criterion: 'Critério do avaliador',
      criterionHelp: 'Por exemplo: a resposta é tão útil e tão curta quanto antes?',
    },
    back: 'Todos os ensaios',
    reportTitle: (what: string) => `Ensaio: ${what}`,
    progress: 'Progresso do ensaio',
    passed: 'Aprovado: todos os turnos passaram nas verificações.',
    notPassed: (failing: number, count: number) => `Não aprovado: ${notPassing(failing, count)}.`,
    incomplete: (left: number) =>
      `Não aprovado: ${turns(left)} ainda ${left === 1 ? 'não foi respondido' : 'não foram respondidos'}.`,
    showFailing: (count: number) =>
      count === 1 ? 'Ver o turno que não passa' : 'Ver os turnos que não passam',
    next: {
      publish: 'Próximo passo: publique-o nas configurações.',
      differs: 'O rascunho atual difere do que foi ensaiado.',
      versions: 'Abrir as versões',
    },
    ofContent: {
      passed: 'Ensaio aprovado',
      failing: (failing: number, count: number) => `Ensaio: ${notPassing(failing, count)}`,
      running: 'Ensaio em andamento',
      unfinished: 'Ensaio não concluído',
      none: 'Não ensaiado como está agora',
    },
    noTurns: 'Todos os turnos foram apagados com as conversas deles.',
    cancel: {
      label: 'Cancelar ensaio',
      title: 'Cancelar este ensaio?',
      text: 'Os turnos que já têm um resultado o mantêm. Você pode retomá-lo depois.',
      done: 'Ensaio cancelado',
    },
    again: 'Ensaiar de novo',
    resume: 'Retomar',
    resumed: 'Ensaio retomado',
    facts: {
      about: 'Sobre este ensaio',
      asked: {
        recent: (count: number) =>
          count === 1 ? 'O turno mais recente.' : `Os ${countText(count)} turnos mais recentes.`,
        test_set: (count: number) => `${turns(count)} do conjunto de testes.`,
      },
      toolsRun: 'As ferramentas que só leem foram executadas nas chamadas sem resultado registrado.',
      toolsNotRun: 'Nenhuma ferramenta foi executada: cada chamada recebeu o resultado registrado.',
      checks: 'Verificações de cada turno',
      sameDeeds:
        'As mesmas ferramentas com os mesmos argumentos e a mesma transferência. Nada é recusado nem falha. O texto pode ser outro.',
      sameAnswer: 'Exatamente a resposta, as chamadas de ferramenta e a transferência registradas.',
      passing: (outcomes: readonly string[]) => `Resultados que passam: ${outcomes.join(', ')}.`,
      judged: (model: string, criterion: string) =>
        `O avaliador (${model}) não considera pior uma resposta reescrita: ${criterion}`,
      author: 'Iniciado por',
      started: 'Início',
      took: (time: string) => `durou ${time}`,
    },
    ruleTexts: {
      contains: (text: string) => `precisa conter “${text}”`,
      does_not_contain: (text: string) => `não pode conter “${text}”`,
      max_chars: (max: number) => `pode ter no máximo ${countText(max)} caracteres`,
      json_schema: 'precisa ser um JSON que segue o esquema',
    },
    mustBe: (rule: string) => `A resposta ${rule}`,
    notAccepted: (outcome: string) => `${outcome}: não se aceita`,
    compared: 'Custo e tempo',
    comparedTable: 'Custo e tempo, registrados e agora',
    comparedColumns: {
      what: 'Soma de todos os turnos',
      recorded: 'Registrado',
      now: 'Agora',
      change: 'Mudança',
    },
    credits: 'Créditos',
    modelTime: 'Tempo das chamadas ao modelo',
    partly: 'Até que todos os turnos tenham resposta, as somas registradas abrangem mais turnos.',
    outcomes: {
      same: 'Sem mudança',
      other_text: 'Reescrita',
      other_tool: 'Outra ferramenta',
      other_arguments: 'Outros argumentos',
      other_transfer: 'Outra transferência',
      refused: 'Recusado',
      failed: 'Falhou',
    },
    turns: 'Turnos',
    filter: 'Turnos por resultado',
    all: 'Todos',
    count: (label: string, count: number) => `${label} ${countText(count)}`,
    sameTurns: (count: number) => `${turns(count)} sem mudança`,
    divergedCount: (count: number) =>
      `${turns(count)} ${count === 1 ? 'parou' : 'pararam'} em uma chamada de ferramenta sem resultado registrado: não se sabe o que o agente teria respondido.`,
    noTurnsShown: 'Nenhum turno tem este resultado',
    waiting: 'Sem resposta ainda',
    passes: 'Passa',
    fails: 'Não passa',
    turn: (number: number) => `Turno ${String(number)}`,
    user: 'Usuário',
    recorded: 'Registrado',
    now: 'Agora',
    noText: 'Sem texto',
    diverged: 'Parou aqui: esta chamada não tem resultado registrado.',
    onlyRecorded: 'Só no registrado',
    onlyNow: 'Só agora',
    transfer: (agent: string) => `Transfere para ${agent}`,
    brokenRule: (number: number, rule: string) => `Descumpre a regra ${String(number)}: ${rule}`,
    verdicts: {
      better: 'Avaliador: melhor',
      as_good: 'Avaliador: igualmente bom',
      worse: 'Avaliador: pior',
      unclear: 'Avaliador: sem veredito',
    },
    openConversation: 'Abrir conversa',
    testSet: 'Conjunto de testes',
    testSetLead:
      'Um conjunto fixo de turnos para conferir as mudanças deste agente. Adicione turnos a partir das conversas dele.',
    testTable: 'Conjunto de testes deste agente',
    testColumns: { input: 'Usuário', author: 'Adicionado por', added: 'Adicionado' },
    testEmptyTitle: 'O conjunto de testes está vazio',
    testEmptyText: 'No menu dos detalhes de uma conversa, escolha “Adicionar ao conjunto de testes”.',
    toConversations: 'Escolher entre as conversas dele',
    noInput: 'Um arquivo sem texto',
    remove: (input: string) => ({
      label: 'Remover',
      title: 'Remover este turno do conjunto de testes?',
      text: input,
      done: 'Removido do conjunto de testes',
    }),
    add: 'Adicionar ao conjunto de testes',
    added: (count: number, agent: string) =>
      count === 0
        ? `${agent} já tem estes turnos`
        : `${turns(count)} ${count === 1 ? 'adicionado' : 'adicionados'} ao conjunto de testes de ${agent}`,
  },
} satisfies Translation<typeof english>;
