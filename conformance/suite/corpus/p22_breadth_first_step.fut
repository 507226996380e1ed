-- Digest 004, appendix B, P22: a step of breadth first search, with as many edges for each node as the one with the most has. Edges are 0-1, 0-2, 1-3, 2-3.
-- From 1 and 2 two threads write the same to node 3. The last node has no edges, its first would be out of bounds: it must not be read. Nothing comes of no frontier.
-- ==
-- input { [0, -1, -1, -1] [0i64, 2i64, 3i64, 4i64] [2i64, 1i64, 1i64, 0i64] [1i64, 2i64, 3i64, 3i64]
--         [true, false, false, false] [true, false, false, false] [false, false, false, false] }
-- output { [0, 1, 1, -1] [false, false, false, false] [false, true, true, false] }
-- input { [0, 1, 1, -1] [0i64, 2i64, 3i64, 4i64] [2i64, 1i64, 1i64, 0i64] [1i64, 2i64, 3i64, 3i64]
--         [true, true, true, false] [false, true, true, false] [false, false, false, false] }
-- output { [0, 1, 1, 2] [false, false, false, false] [false, false, false, true] }
-- input { [0, 1, 1, 2] [0i64, 2i64, 3i64, 4i64] [2i64, 1i64, 1i64, 0i64] [1i64, 2i64, 3i64, 3i64]
--         [true, true, true, true] [true, false, false, true] [false, false, false, false] }
-- output { [0, 1, 1, 2] [false, false, false, false] [false, false, false, false] }
-- input { [0, 1, 1, 2] [0i64, 2i64, 3i64, 4i64] [2i64, 1i64, 1i64, 0i64] [1i64, 2i64, 3i64, 3i64]
--         [true, true, true, true] [false, false, false, false] [false, false, false, false] }
-- output { [0, 1, 1, 2] [false, false, false, false] [false, false, false, false] }
def step [n][e] (cost: *[n]i32) (nodes_starting: [n]i64) (nodes_num_edges: [n]i64) (edges_dest: [e]i64)
                (visited: [n]bool) (mask: *[n]bool) (updating_mask: *[n]bool) : (*[n]i32, *[n]bool, *[n]bool) =
  let active_indices = filter (\i -> mask[i]) (iota n)
  let n_indices = length active_indices
  let e_max = reduce i64.max 0 (map (\i -> nodes_num_edges[i]) active_indices)
  let (node_ids_2d, costs_2d) =
    unzip (map (\src_id ->
                  let s_index = nodes_starting[src_id]
                  let n_edges = nodes_num_edges[src_id]
                  let node_ids = map (\i -> if i < s_index + n_edges
                                            then let dst_id = edges_dest[i] in if !visited[dst_id] then dst_id else -1
                                            else -1) (map (+ s_index) (iota e_max))
                  in (node_ids, replicate e_max (cost[src_id] + 1))) active_indices)
  let flat_len = n_indices * e_max
  let node_ids = flatten node_ids_2d :> [flat_len]i64
  let costs = flatten costs_2d :> [flat_len]i32
  in ( scatter cost node_ids costs
     , scatter mask active_indices (map (const false) active_indices)
     , scatter updating_mask node_ids (replicate flat_len true) )

entry main [n][e] (cost: *[n]i32) (nodes_starting: [n]i64) (nodes_num_edges: [n]i64) (edges_dest: [e]i64)
                  (visited: [n]bool) (mask: *[n]bool) (updating_mask: *[n]bool) : ([n]i32, [n]bool, [n]bool) =
  step cost nodes_starting nodes_num_edges edges_dest visited mask updating_mask
