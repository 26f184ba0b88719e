import type { Translation } from '../translation.ts';
import { read, search, single, write, type workspaceActionTexts as english } from '../workspace-actions.ts';

const outdated = 'Uma ação mais antiga, substituída por outra.';
const removes = 'Ela pode remover o que sua equipe escreveu.';
const people = 'Ela mostra os nomes e os e-mails da sua equipe.';

export const workspaceActionTexts = {
  workspaceActions: {
    title: 'Notion',
    actions: {
      DOCS_SEARCH_DOCS_PAGE: search(
        'Buscar por título',
        'Encontra páginas e bancos de dados, com todas as propriedades.',
      ),
      DOCS_FETCH_DATA: search(
        'Listar páginas e bancos de dados',
        'Encontra páginas e bancos de dados por título, de forma resumida.',
      ),
      DOCS_QUERY_DATABASE: search(
        'Listar linhas',
        'Lista as linhas de um banco de dados, na ordem que você quiser.',
      ),
      DOCS_QUERY_DATABASE_WITH_FILTER: search(
        'Filtrar linhas',
        'Encontra as linhas de um banco de dados que atendem a um filtro.',
      ),
      DOCS_QUERY_DATA_SOURCE: search(
        'Filtrar linhas de uma fonte de dados',
        'Encontra linhas em uma parte de um banco de dados.',
      ),

      DOCS_GET_PAGE_MARKDOWN: read('Ler uma página', 'Lê o texto de uma página.'),
      DOCS_RETRIEVE_PAGE: read(
        'Ler as propriedades de uma página',
        'Lê o título, as datas e outras propriedades.',
      ),
      DOCS_GET_PAGE_PROPERTY_ACTION: read(
        'Ler uma propriedade',
        'Lê na íntegra uma propriedade longa de uma página.',
      ),
      DOCS_FETCH_BLOCK_CONTENTS: read(
        'Ler blocos',
        'Lê os blocos que estão diretamente em uma página ou bloco.',
      ),
      DOCS_FETCH_ALL_BLOCK_CONTENTS: read(
        'Ler todos os blocos',
        'Lê os blocos de uma página, inclusive os aninhados.',
      ),
      DOCS_FETCH_BLOCK_METADATA: read('Ler um bloco', 'Lê o tipo e as propriedades de um bloco.'),
      DOCS_FETCH_DATABASE: read(
        'Ler as colunas de um banco de dados',
        'Lê quais colunas um banco de dados tem.',
      ),
      DOCS_RETRIEVE_DATABASE_PROPERTY: read('Ler uma coluna', 'Lê as configurações de uma coluna.'),
      DOCS_FETCH_ROW: read('Ler uma linha', 'Lê os valores de uma linha.'),
      DOCS_LIST_DATA_SOURCE_TEMPLATES: read(
        'Listar modelos',
        'Lista os modelos de página de um banco de dados.',
      ),
      DOCS_FETCH_COMMENTS: read('Ler comentários', 'Lê os comentários em aberto de uma página ou bloco.'),
      DOCS_RETRIEVE_COMMENT: read('Ler um comentário', 'Lê um comentário.'),
      DOCS_RETRIEVE_FILE_UPLOAD: read(
        'Verificar um envio',
        'Verifica se o envio de um arquivo foi concluído.',
      ),
      DOCS_LIST_FILE_UPLOADS: read('Listar envios', 'Lista os arquivos que o Parley enviou.'),

      DOCS_CREATE_DOCS_PAGE: write(
        'Criar uma página',
        'Adiciona uma página dentro de outra ou a um banco de dados.',
      ),
      DOCS_ADD_MULTIPLE_PAGE_CONTENT: write(
        'Adicionar blocos a uma página',
        'Adiciona títulos, parágrafos, listas e mais.',
      ),
      DOCS_APPEND_TEXT_BLOCKS: write('Adicionar texto', 'Adiciona parágrafos, títulos e itens de lista.'),
      DOCS_APPEND_TASK_BLOCKS: write(
        'Adicionar tarefas',
        'Adiciona tarefas, listas recolhíveis e destaques.',
      ),
      DOCS_APPEND_CODE_BLOCKS: write('Adicionar código', 'Adiciona código, citações e equações.'),
      DOCS_APPEND_MEDIA_BLOCKS: write(
        'Adicionar mídia',
        'Adiciona imagens, vídeos, arquivos e favoritos a partir do endereço.',
      ),
      DOCS_APPEND_LAYOUT_BLOCKS: write('Adicionar layout', 'Adiciona divisores, colunas e sumários.'),
      DOCS_APPEND_TABLE_BLOCKS: write('Adicionar tabelas', 'Adiciona tabelas com suas linhas.'),
      DOCS_UPDATE_BLOCK: write('Alterar um bloco', 'Substitui o texto de um bloco.'),
      DOCS_UPDATE_PAGE: write(
        'Alterar uma página ou linha',
        'Altera propriedades, ícone e capa ou a move para a lixeira.',
      ),
      DOCS_MOVE_PAGE: write(
        'Mover uma página',
        'Move uma página para dentro de outra ou para um banco de dados.',
      ),
      DOCS_DUPLICATE_PAGE: write('Copiar uma página', 'Copia uma página com seu conteúdo.'),
      DOCS_CREATE_DATABASE: write('Criar um banco de dados', 'Adiciona um banco de dados a uma página.'),
      DOCS_INSERT_ROW_DATABASE: write('Adicionar uma linha', 'Adiciona uma linha a um banco de dados.'),
      DOCS_CREATE_COMMENT: write(
        'Escrever um comentário',
        'Comenta em uma página ou responde a um comentário.',
      ),
      DOCS_CREATE_FILE_UPLOAD: write('Iniciar um envio', 'Prepara o envio de um arquivo.'),
      DOCS_SEND_FILE_UPLOAD: write('Enviar um arquivo', 'Envia o conteúdo de um arquivo.'),

      DOCS_REPLACE_PAGE_CONTENT: single(
        'Substituir uma página',
        'Remove o conteúdo de uma página e adiciona um novo.',
        removes,
      ),
      DOCS_DELETE_BLOCK: single(
        'Excluir um bloco ou página',
        'Move um bloco, página ou banco de dados para a lixeira.',
        removes,
      ),
      DOCS_ARCHIVE_DOCS_PAGE: single(
        'Excluir ou restaurar uma página',
        'Move uma página para a lixeira ou a restaura.',
        removes,
      ),
      DOCS_INSERT_ROW_FROM_NL: single(
        'Adicionar uma linha a partir de uma frase',
        'Extrai de um texto os valores da linha.',
        'Ela faz uma chamada própria ao modelo, que custa créditos.',
      ),
      DOCS_LIST_USERS: single('Listar pessoas', 'Lista as pessoas e os bots do espaço de trabalho.', people),
      DOCS_GET_ABOUT_USER: single(
        'Ver uma pessoa',
        'Mostra os dados de uma pessoa ou de um bot do espaço de trabalho.',
        people,
      ),
      DOCS_ADD_PAGE_CONTENT: single('Adicionar um bloco', 'Adiciona um bloco a uma página.', outdated),
      DOCS_APPEND_BLOCK_CHILDREN: single(
        'Adicionar blocos no formato do Notion',
        'Adiciona blocos de qualquer tipo.',
        outdated,
      ),
      DOCS_GET_ABOUT_ME: single('Ver a integração', 'Mostra o nome da integração.', outdated),
    },
    subjects: {
      pages: 'Páginas',
      content: 'Texto das páginas',
      databases: 'Bancos de dados e linhas',
      comments: 'Comentários',
      files: 'Arquivos',
      people: 'Pessoas',
    },
    presets: {
      search: { name: 'Busca', text: 'Encontra páginas, bancos de dados e linhas.' },
      read: { name: 'Leitura', text: 'Lê páginas, linhas, comentários e as colunas de bancos de dados.' },
      write: {
        name: 'Escrita',
        text: 'Adiciona e altera páginas, linhas, comentários e arquivos. Também pode mover uma página para a lixeira.',
      },
    },
    none: 'Fora dos conjuntos',
    count: (chosen: number, all: number) =>
      chosen === 0 || chosen === all
        ? `${String(all)} ações.`
        : `${String(chosen)} de ${String(all)} ações selecionadas.`,
    single: (chosen: number, all: number) =>
      `Ações individuais: ${String(chosen)} de ${String(all)} selecionadas`,
    search: 'Buscar ações do espaço de trabalho',
    noMatch: 'Nenhuma ação corresponde à sua busca.',
    connect: 'Conectar um espaço de trabalho',
    offer: 'Este agente pode buscar, ler e escrever no Notion assim que um espaço de trabalho for conectado.',
    notConnected: 'Nenhum espaço de trabalho está conectado, por isso as ações selecionadas falham.',
    refused: (workspaces: readonly string[]) =>
      `${workspaces.join(', ')} ${workspaces.length === 1 ? 'não aceita' : 'não aceitam'} mais o acesso do Parley, por isso as ações selecionadas falham.`,
    reconnect: 'Reconectar',
    morePolicies: (count: number) =>
      count === 1
        ? '1 ação do espaço de trabalho é executada sem pedir aprovação'
        : `${String(count)} ações do espaço de trabalho são executadas sem pedir aprovação`,
  },
} satisfies Translation<typeof english>;
