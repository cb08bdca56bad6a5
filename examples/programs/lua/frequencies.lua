-- Counts the words of a text, prints the twenty most frequent, then primes by a sieve.
local name, limit = ...
local counts, order = {}, {}
for word in read_file(name):gmatch("%a+") do
    word = word:lower()
    if not counts[word] then
        counts[word] = 0
        order[#order + 1] = word
    end
    counts[word] = counts[word] + 1
end
table.sort(order, function(a, b)
    if counts[a] ~= counts[b] then return counts[a] > counts[b] end
    return a < b
end)
for i = 1, math.min(20, #order) do
    print(string.format("%4d %s", counts[order[i]], order[i]))
end
limit = math.tointeger(tonumber(limit))
local composite, primes = {}, 0
for i = 2, limit do
    if not composite[i] then
        primes = primes + 1
        for j = i * i, limit, i do composite[j] = true end
    end
end
print(primes .. " primes up to " .. limit)
